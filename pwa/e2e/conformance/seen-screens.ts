import type { Page } from 'playwright/test'
import { goToQuestions } from '../applications/application-form.ts'

/** Events the screens are about. */
export interface SeenIds {
  /** Olivia's, upcoming, with applicants in every state and Beacons. */
  readonly busy: number
  /** Olivia's, upcoming, to which nobody has applied. */
  readonly quiet: number
}

export interface SeenScreen {
  readonly path: string | ((ids: SeenIds) => string)
  /** A text that is there once the screen is. */
  readonly until: string
  /** What the specification says can be read there to the letter; values of the demo stand in the places of values. */
  readonly texts: readonly string[]
  /** What stands inside longer texts. */
  readonly parts?: readonly string[]
  /** What is pressed there before one looks. */
  readonly press?: (page: Page) => Promise<void>
}

const press = (role: 'tab' | 'button' | 'link', name: string) => (page: Page) =>
  page.getByRole(role, { name, exact: true }).first().click()

/** Texts between bars and ends of lines. */
const listed = (texts: string) =>
  texts
    .split(/[|\n]/)
    .map((text) => text.trim())
    .filter(Boolean)

/** What a visitor sees. */
const visitorScreens = {
  landing: {
    path: '/',
    until: 'See How It Works',
    texts: listed(`
      Beaconry | Home | Events | How It Works | Pricing | Resources | Sign In | Sign Up | Product | Features
      FAQ | Company | About | Blog | Contact | Legal | Privacy | Terms
      © ${new Date().getFullYear()} Beaconry | Create Your First Event | See How It Works
      1. Create your event | 2. Approve Beacon volunteers | 3. Enhance networking | Create an Event
    `),
  },
  'sign-in': { path: '/auth', until: 'olivia@example.com', texts: ['Sign In', 'Sign Up'] },
  events: {
    path: '/events',
    until: 'View Details',
    texts: listed(`
      Upcoming Events | All states | 10 miles | 25 miles | 50 miles | 100 miles | 250 miles | View Details
    `),
  },
  'events-filtered': {
    path: '/events',
    until: 'View Details',
    texts: ['No events found', 'No events match your search criteria.', 'Clear Search'],
    press: (page) => page.getByRole('searchbox').fill('nothing is called like this'),
  },
  event: {
    path: ({ busy }) => `/events/${busy}`,
    until: 'LinkedIn',
    texts: ['Meet the Beacons', 'Register on EventBrite', 'Beacon Incentives', 'Apply to be a Beacon'],
  },
  'event-quiet': {
    path: ({ quiet }) => `/events/${quiet}`,
    until: 'Be the First Beacon',
    texts: ['No Beacons Yet', 'Be the First Beacon'],
  },
  'event-invalid': {
    path: '/events/tomorrow',
    until: 'Invalid Event ID',
    texts: ['Invalid Event ID', 'Browse Events'],
  },
  'event-missing': { path: '/events/999999', until: 'Event Not Found', texts: ['Event Not Found'] },
  apply: {
    path: ({ busy }) => `/events/${busy}/apply`,
    until: 'Continue',
    texts: ['Become a Beacon', 'Personal Information'],
  },
  'apply-questions': {
    path: ({ busy }) => `/events/${busy}/apply`,
    until: 'Continue',
    press: goToQuestions,
    texts: listed(`
      Become a Beacon | Questionnaire | First time | 1-2 times | 3-5 times | More than 5 times | Submit Application
    `),
    parts: ['100-150 words'],
  },
  'how-it-works': {
    path: '/how-it-works',
    until: 'Find Beacons',
    texts: ['Find Beacons', 'Become a Beacon'],
    parts: ['Create your event', 'Approve Beacon volunteers', 'Enhance networking'],
  },
  pricing: {
    path: '/pricing',
    until: 'Sign Up to Subscribe',
    texts: ['Pricing', 'Sign Up to Subscribe', 'Most Popular'],
  },
  builder: { path: '/event-builder', until: 'Save Draft and Continue', texts: ['Save Draft and Continue'] },
  'checkout-status': {
    path: '/checkout-status',
    until: 'Payment Failed',
    texts: ['Payment Failed', 'Try Again', 'Return Home', 'Payment information not found. Please try again.'],
  },
  'not-found': { path: '/nowhere', until: '404 Page Not Found', texts: ['404 Page Not Found'] },
} as const satisfies Record<string, SeenScreen>

/** What Olivia sees, whose plan has no limit. */
const oliviaScreens = {
  'landing-signed-in': {
    path: '/',
    until: 'Go to Dashboard',
    texts: ['Dashboard', 'Go to Dashboard', 'See How It Works', 'Go to Your Dashboard'],
  },
  dashboard: {
    path: '/dashboard',
    until: 'Your Events',
    texts: ['Your Events', 'Welcome, olivia', 'Create New Event'],
  },
  create: { path: '/events/create', until: 'Create Event', texts: ['Create Event'] },
  edit: { path: ({ busy }) => `/events/edit/${busy}`, until: 'Save Changes', texts: ['Edit Event'] },
  'edit-invalid': { path: '/events/edit/tomorrow', until: 'Invalid Event ID', texts: ['Invalid Event ID'] },
  'edit-missing': {
    path: '/events/edit/999999',
    until: 'Event Not Found',
    texts: listed(`
      Event Not Found | The event you're trying to edit doesn't exist or you don't have permission to edit it.
    `),
  },
  manage: {
    path: ({ busy }) => `/events/manage/${busy}`,
    until: 'Applicant',
    texts: listed(`
      Beacon Applications | Edit | Customize | Delete | Location | Address | Beacon Incentives
      Registration URL | Description | Applicant | Company / Job Title | Experience | Status | Applied
      Actions | Pending | Approved | Rejected | View | Approve | Reject | Revoke Approval
    `),
  },
  'manage-delete': {
    path: ({ busy }) => `/events/manage/${busy}`,
    until: 'Applicant',
    texts: ['Are you sure?'],
    parts: ['cannot be undone', 'permanently deletes the event and all its Beacon applications'],
    press: press('button', 'Delete'),
  },
  'manage-quiet': {
    path: ({ quiet }) => `/events/manage/${quiet}`,
    until: 'No Beacon Applications',
    texts: ['No Beacon Applications'],
  },
  'manage-missing': { path: '/events/manage/999999', until: 'Event Not Found', texts: ['Event Not Found'] },
  'customize-email': {
    path: ({ busy }) => `/events/${busy}/customize`,
    until: 'Placeholders',
    texts: listed(`
      Customize | Email Templates | Application Questions | [Beacon Name] | [Event Name] | [Event Date]
      [Event Location] | [Custom Instructions] | [Promo Code]
    `),
  },
  'customize-missing': {
    path: '/events/999999/customize',
    until: 'Error Loading Event',
    texts: ['Error Loading Event'],
  },
  'pricing-signed-in': { path: '/pricing', until: 'Current Plan', texts: ['Current Plan', 'Get Started'] },
  checkout: {
    path: '/checkout?planId=2',
    until: 'Plan Summary',
    texts: ['Checkout', 'Plan', 'Price', 'Events', 'Duration', 'Cancel', '365 days'],
  },
  'checkout-invalid': {
    path: '/checkout?planId=99',
    until: 'Invalid Plan',
    texts: ['Invalid Plan', 'Back to Pricing'],
  },
  subscription: {
    path: '/subscription',
    until: 'Go to Dashboard',
    texts: ['Subscription', 'Go to Dashboard', 'Create Event'],
  },
  'manage-subscription': {
    path: '/manage-subscription',
    until: 'Change Plan',
    texts: listed(`
      Manage Subscription | Change Plan | Cancel Subscription | Unlimited | Status | Start Date | End Date
      WELCOME20 | You can create events
    `),
  },
  'billing-history': { path: '/billing-history', until: 'Sample data', texts: ['Billing History', 'Paid'] },
  profile: {
    path: '/profile',
    until: 'Delete Account',
    texts: listed(`
      Profile | Premium Plan | Renewal Date | Edit Profile | Change Password | Download Data | Delete Account
      Lantern Street Events
    `),
  },
  'access-denied': { path: '/admin', until: 'Access Denied', texts: ['Access Denied'] },
} as const satisfies Record<string, SeenScreen>

/** What somebody sees who has just signed up. */
const newcomerScreens = {
  'dashboard-empty': {
    path: '/dashboard',
    until: 'No Events Yet',
    texts: ['No Events Yet', 'Create Your First Event'],
  },
  'create-without-plan': {
    path: '/events/create',
    until: 'Subscription Required',
    texts: ['Subscription Required', "You don't have an active subscription."],
  },
  'subscription-none': { path: '/subscription', until: 'No Active Subscription', texts: ['No Active Subscription'] },
  'manage-subscription-none': {
    path: '/manage-subscription',
    until: 'No Active Subscription',
    texts: ['No Active Subscription'],
  },
  'profile-free': { path: '/profile', until: 'Delete Account', texts: ['Free Plan'] },
} as const satisfies Record<string, SeenScreen>

/** What Otto sees, whose plan is used up. */
const ottoScreens = {
  'manage-subscription-limit': {
    path: '/manage-subscription',
    until: 'Upgrade Plan',
    texts: ['Upgrade Plan', '3 of 3 events used'],
  },
  'profile-limit': { path: '/profile', until: 'Delete Account', texts: ['Pro Plan', 'Expires On'] },
} as const satisfies Record<string, SeenScreen>

/** What Ada sees. */
const adaScreens = {
  admin: {
    path: '/admin',
    until: 'Total Users',
    texts: listed(`
      Admin Dashboard | Total Users | Active Users | Total Events | Subscriptions | Revenue | Promo Uses
      No Subscription | Active | Inactive | Export Data
    `),
  },
} as const satisfies Record<string, SeenScreen>

/** Who sees which screens. */
export const seenScreens = {
  visitor: visitorScreens,
  olivia: oliviaScreens,
  newcomer: newcomerScreens,
  otto: ottoScreens,
  ada: adaScreens,
} as const satisfies Record<string, Record<string, SeenScreen>>

/** Goes there as a link does, without loading the app again, and waits until the screen is there. */
export async function openScreen(page: Page, screen: SeenScreen, ids: SeenIds): Promise<void> {
  const path = typeof screen.path === 'string' ? screen.path : screen.path(ids)
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.getByText(screen.until).filter({ visible: true }).first().waitFor()
  await screen.press?.(page)
}

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
