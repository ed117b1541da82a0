import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { busiestEvent } from '../applications/applicants.ts'
import { goToQuestions } from '../applications/application-form.ts'
import { tell } from '../client.ts'
import { ada, olivia, otto } from '../journey.ts'

/** Events the screens are about. */
export interface SeenIds {
  /** Olivia's, upcoming, with applicants in every state and Beacons. */
  readonly busy: number
  /** Olivia's, upcoming, to which nobody has applied. */
  readonly quiet: number
}

export async function findSeenIds(db: Knex): Promise<SeenIds> {
  const quiet = await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '>', db.raw('current_date'))
    .whereNotExists(db('applications').whereRaw('applications.event_id = events.id'))
    .first('id')
  if (!quiet) throw new Error('The demo has no upcoming event without applications')
  return { busy: (await busiestEvent(db)).eventId, quiet: quiet.id }
}

export interface SeenScreen {
  readonly path: string
  /** A text that is there once the screen is. */
  readonly until: string
  /** What the specification says can be read there to the letter; values of the demo stand in the places of values. */
  readonly texts: readonly string[]
  /** What stands inside longer texts. */
  readonly parts: readonly string[]
  /** What is done there before one looks. */
  readonly act?: (page: Page) => Promise<unknown>
}

/** Texts between bars and ends of lines. */
const listed = (texts: string) =>
  texts
    .split(/[|\n]/)
    .map((text) => text.trim())
    .filter(Boolean)

/** A screen at an address; where nothing else is to be read, `until` is, to the letter. */
const seen = (
  path: string,
  until: string,
  texts = until,
  { parts = '', act }: { readonly parts?: string; readonly act?: (page: Page) => Promise<unknown> } = {},
): SeenScreen => ({ path, until, texts: listed(texts), parts: listed(parts), ...(act && { act }) })

/** What a visitor sees. */
const visitorScreens = ({ busy, quiet }: SeenIds): SeenScreen[] => [
  seen(
    '/',
    'See How It Works',
    `Beaconry | Home | Events | How It Works | Pricing | Resources | Sign In | Sign Up | Product | Features
    FAQ | Company | About | Blog | Contact | Legal | Privacy | Terms
    © ${new Date().getFullYear()} Beaconry | Create Your First Event | See How It Works
    1. Create your event | 2. Approve Beacon volunteers | 3. Enhance networking | Create an Event`,
  ),
  seen('/auth', 'olivia@example.com', 'Sign In | Sign Up'),
  seen(
    '/events',
    'View Details',
    'Upcoming Events | All states | 10 miles | 25 miles | 50 miles | 100 miles | 250 miles | View Details',
  ),
  seen('/events', 'View Details', 'No events found | No events match your search criteria. | Clear Search', {
    act: (page) => page.getByRole('searchbox').fill('nothing is called like this'),
  }),
  seen(
    `/events/${busy}`,
    'LinkedIn',
    'Meet the Beacons | Register on EventBrite | Beacon Incentives | Apply to be a Beacon',
  ),
  seen(`/events/${quiet}`, 'Be the First Beacon', 'No Beacons Yet | Be the First Beacon'),
  seen('/events/tomorrow', 'Invalid Event ID', 'Invalid Event ID | Browse Events'),
  seen('/events/999999', 'Event Not Found'),
  seen(`/events/${busy}/apply`, 'Continue', 'Become a Beacon | Personal Information'),
  seen(
    `/events/${busy}/apply`,
    'Continue',
    'Become a Beacon | Questionnaire | First time | 1-2 times | 3-5 times | More than 5 times | Submit Application',
    { act: goToQuestions, parts: '100-150 words' },
  ),
  seen('/how-it-works', 'Find Beacons', 'Find Beacons | Become a Beacon', {
    parts: 'Create your event | Approve Beacon volunteers | Enhance networking',
  }),
  seen(
    '/resources',
    'Pro Tips for Organizers',
    `Frequently Asked Questions | What is a Beacon? | Who should be a Beacon? | How do I recruit Beacons for my event?
    How do guests find the Beacons? | Why should I sign up as a Beacon? | Networking Tips | Arrive early
    Know whom you want to meet | Ask before you tell | Stand where people stop | Leave well | Write it down tonight
    Pro Tips for Organizers | Name the incentive in numbers | Ask one question that costs a minute
    Decide within two days | Give each Beacon a place`,
  ),
  seen(
    '/pricing',
    'Sign Up to Subscribe',
    'Pricing | Single Event | Multi Event | Unlimited | Sign Up to Subscribe | Most Popular',
  ),
  seen('/event-builder', 'Save Draft and Continue'),
  seen(
    '/checkout-status',
    'Payment Failed',
    'Payment Failed | Try Again | Return Home | Payment information not found. Please try again.',
  ),
  seen('/nowhere', '404 Page Not Found'),
]

/** What Olivia sees, whose plan has no limit. */
const oliviaScreens = ({ busy, quiet }: SeenIds): SeenScreen[] => [
  seen('/', 'Go to Dashboard', 'Dashboard | Go to Dashboard | See How It Works | Go to Your Dashboard'),
  seen('/dashboard', 'Your Events', 'Your Events | Welcome, olivia | Create New Event'),
  seen('/events/create', 'Create Event'),
  seen(`/events/edit/${busy}`, 'Save Changes', 'Edit Event'),
  seen('/events/edit/tomorrow', 'Invalid Event ID'),
  seen(
    '/events/edit/999999',
    'Event Not Found',
    "Event Not Found | The event you're trying to edit doesn't exist or you don't have permission to edit it.",
  ),
  seen(
    `/events/manage/${busy}`,
    'Applicant',
    `Beacon Applications | Edit | Customize | Delete | Location | Address | Beacon Incentives
    Registration URL | Description | Applicant | Company / Job Title | Experience | Status | Applied
    Actions | Pending | Approved | Rejected | View | Approve | Reject | Revoke Approval`,
  ),
  seen(`/events/manage/${busy}`, 'Applicant', 'Are you sure?', {
    act: (page) => page.getByRole('button', { name: 'Delete', exact: true }).click(),
    parts: 'cannot be undone | permanently deletes the event and all its Beacon applications',
  }),
  seen(`/events/manage/${quiet}`, 'No Beacon Applications'),
  seen('/events/manage/999999', 'Event Not Found'),
  seen(
    `/events/${busy}/customize`,
    'Placeholders',
    `Customize | Email Templates | Application Questions | [Beacon Name] | [Event Name] | [Event Date]
    [Event Location] | [Custom Instructions] | [Promo Code]`,
  ),
  seen('/events/999999/customize', 'Error Loading Event'),
  seen('/pricing', 'Current Plan', 'Current Plan | Get Started'),
  seen('/checkout?planId=2', 'Plan Summary', 'Checkout | Plan | Price | Events | Duration | Cancel | 365 days'),
  seen('/checkout?planId=99', 'Invalid Plan', 'Invalid Plan | Back to Pricing'),
  seen('/subscription', 'Go to Dashboard', 'Subscription | Go to Dashboard | Create Event'),
  seen(
    '/manage-subscription',
    'Change Plan',
    `Manage Subscription | Change Plan | Cancel Subscription | Unlimited | Status | Start Date | End Date
    WELCOME20 | You can create events`,
  ),
  seen('/billing-history', 'Sample data', 'Billing History | Paid'),
  seen(
    '/profile',
    'Delete Account',
    `Profile | Premium Plan | Renewal Date | Edit Profile | Change Password | Download Data | Delete Account
    Lantern Street Events`,
  ),
  seen('/admin', 'Access Denied'),
]

/** What somebody sees who has just signed up. */
const newcomerScreens: readonly SeenScreen[] = [
  seen('/dashboard', 'No Events Yet', 'No Events Yet | Create Your First Event'),
  seen('/events/create', 'Subscription Required', "Subscription Required | You don't have an active subscription."),
  seen('/subscription', 'No Active Subscription'),
  seen('/manage-subscription', 'No Active Subscription'),
  seen('/profile', 'Delete Account', 'Free Plan'),
]

/** What Otto sees, whose plan is used up. */
const ottoScreens: readonly SeenScreen[] = [
  seen('/manage-subscription', 'Upgrade Plan', 'Upgrade Plan | 3 of 3 events used'),
  seen('/profile', 'Delete Account', 'Pro Plan | Expires On'),
]

/** What Ada sees. */
const adaScreens: readonly SeenScreen[] = [
  seen(
    '/admin',
    'Total Users',
    `Admin Dashboard | Total Users | Active Users | Total Events | Subscriptions | Revenue | Promo Uses
    No Subscription | Active | Inactive | Export Data | Username | Email | Organization | Plan | Events | Created
    Status`,
  ),
]

const nora = { email: 'nora@example.com', password: 'long enough', username: 'nora' }

/** Makes an account without a plan and without events. */
async function signUpNora(origin: string) {
  await tell(origin, '/api/register', nora)
  return nora
}

/** Who sees which screens, and as whom they sign in. */
export const viewers = [
  { name: 'a visitor', screens: visitorScreens },
  { name: 'a newcomer', comeIn: signUpNora, screens: () => newcomerScreens },
  { name: 'an organizer', comeIn: async () => olivia, screens: oliviaScreens },
  { name: 'an organizer whose plan is used up', comeIn: async () => otto, screens: () => ottoScreens },
  { name: 'an admin', comeIn: async () => ada, screens: () => adaScreens },
] as const

/**
 * Every text that can be read on the page now: of each thing that is shown its whole text and its pieces, what stands in
 * empty fields, and the names that only a screen reader says. It runs in the page.
 */
export function readTexts(): string[] {
  const found = new Set<string>()
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    const texts = [
      element.getAttribute('aria-label'),
      element.getAttribute('placeholder'),
      element.textContent,
      // What a closed list offers is not shown, and read all the same.
      ...(element instanceof HTMLSelectElement ? Array.from(element.options, ({ text }) => text) : []),
      ...Array.from(element.childNodes, (node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : null)),
    ]
    for (const text of texts) {
      const plain = text?.replaceAll('’', "'").replace(/\s+/g, ' ').trim()
      if (plain) found.add(plain)
    }
  }
  return [...found]
}

/** What the specification says of a screen and is not among the texts that were read there. */
export function absentTexts(read: readonly string[], { texts, parts }: SeenScreen): string[] {
  const all = read.join('\n')
  return [...texts.filter((text) => !read.includes(text)), ...parts.filter((text) => !all.includes(text))]
}

/** What sticks out to the right; nothing where the page does not scroll sideways. It runs in the page. */
export function readOverflow(): string[] {
  // What stands behind a dialog is not seen.
  const scope = document.querySelector('dialog:modal')
  const { scrollWidth, clientWidth } = scope ?? document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...(scope ?? document.body).querySelectorAll('*:not(svg *)')]
    .filter((element) => {
      if (element.getBoundingClientRect().right <= clientWidth + 1) return false
      // What sticks out of something that scrolls or cuts makes no page wider.
      let around = element.parentElement
      while (around && getComputedStyle(around).overflowX === 'visible') around = around.parentElement
      return !around || around === scope || around === document.body || around === document.documentElement
    })
    .slice(-3)
    .map(({ tagName, className }) => `${tagName} .${className}`)
  return [`${scrollWidth} px in ${clientWidth} px: ${wide.join(', ')}`]
}
