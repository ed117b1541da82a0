import type { Page } from 'playwright/test'
import { signUp } from '../accounts/sign-up.ts'
import { goToQuestions } from '../applications/application-form.ts'
import { ada, olivia, otto, signIn } from '../journey.ts'

/** Events the screens are about. */
export interface SeenIds {
  /** Olivia's, upcoming, with applicants in every state and Beacons. */
  readonly busy: number
  /** Olivia's, upcoming, to which nobody has applied. */
  readonly quiet: number
}

interface SeenScreen {
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
  seen('/pricing', 'Sign Up to Subscribe', 'Pricing | Sign Up to Subscribe | Most Popular'),
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
    No Subscription | Active | Inactive | Export Data`,
  ),
]

/** Who sees which screens, and how they come in. */
export const viewers = (ids: SeenIds) =>
  [
    { comeIn: (page: Page) => page.goto('/'), screens: visitorScreens(ids) },
    { comeIn: (page: Page) => signUp(page, 'nora'), screens: newcomerScreens },
    { comeIn: (page: Page) => signIn(page, olivia), screens: oliviaScreens(ids) },
    { comeIn: (page: Page) => signIn(page, otto), screens: ottoScreens },
    { comeIn: (page: Page) => signIn(page, ada), screens: adaScreens },
  ] as const

/**
 * Every text that can be read on the page now: of each thing that is shown its whole text and its pieces, what stands in
 * empty fields, and the names that only a screen reader says.
 */
export async function readTexts(page: Page): Promise<Set<string>> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>()
    const keep = (text: string | null | undefined) => {
      const plain = text?.replaceAll('’', "'").replace(/\s+/g, ' ').trim()
      if (plain) found.add(plain)
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      keep(element.getAttribute('aria-label'))
      keep(element.getAttribute('placeholder'))
      keep(element.textContent)
      // What a closed list offers is not shown, and read all the same.
      if (element instanceof HTMLSelectElement) for (const option of element.options) keep(option.text)
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) keep(node.nodeValue)
    }
    return [...found]
  })
  return new Set(texts)
}
