import type { Page } from 'playwright/test'

/** Events the screens are about. */
export interface SeenIds {
  /** Olivia's, upcoming, with applicants in every state and Beacons. */
  readonly busy: number
  /** Olivia's, upcoming, to which nobody has applied. */
  readonly quiet: number
}

interface SeenScreen {
  readonly path: string | ((ids: SeenIds) => string)
  /** A text that is there once the screen is. */
  readonly until: string
  /** What is pressed there before one looks. */
  readonly press?: (page: Page) => Promise<void>
}

const press = (role: 'tab' | 'button' | 'link', name: string) => (page: Page) =>
  page.getByRole(role, { name, exact: true }).first().click()

/** What a visitor sees. */
const visitorScreens = {
  landing: { path: '/', until: 'See How It Works' },
  'sign-in': { path: '/auth', until: 'olivia@example.com' },
  events: { path: '/events', until: 'View Details' },
  'events-filtered': {
    path: '/events',
    until: 'View Details',
    press: (page) => page.getByRole('searchbox').fill('nothing is called like this'),
  },
  event: { path: ({ busy }) => `/events/${busy}`, until: 'LinkedIn' },
  'event-quiet': { path: ({ quiet }) => `/events/${quiet}`, until: 'Be the First Beacon' },
  'event-invalid': { path: '/events/tomorrow', until: 'Invalid Event ID' },
  'event-missing': { path: '/events/999999', until: 'Event Not Found' },
  apply: { path: ({ busy }) => `/events/${busy}/apply`, until: 'Submit Application' },
  'how-it-works': { path: '/how-it-works', until: 'Find Beacons' },
  pricing: { path: '/pricing', until: 'Sign Up to Subscribe' },
  builder: { path: '/event-builder', until: 'Save Draft and Continue' },
  'checkout-status': { path: '/checkout-status', until: 'Payment Failed' },
  'not-found': { path: '/nowhere', until: '404 Page Not Found' },
} as const satisfies Record<string, SeenScreen>

/** What Olivia sees, whose plan has no limit. */
const oliviaScreens = {
  'landing-signed-in': { path: '/', until: 'Go to Dashboard' },
  dashboard: { path: '/dashboard', until: 'Your Events' },
  create: { path: '/events/create', until: 'Create Event' },
  edit: { path: ({ busy }) => `/events/edit/${busy}`, until: 'Save Changes' },
  'edit-invalid': { path: '/events/edit/tomorrow', until: 'Invalid Event ID' },
  'edit-missing': { path: '/events/edit/999999', until: 'Event Not Found' },
  manage: { path: ({ busy }) => `/events/manage/${busy}`, until: 'Applicant' },
  'manage-delete': {
    path: ({ busy }) => `/events/manage/${busy}`,
    until: 'Applicant',
    press: press('button', 'Delete'),
  },
  'manage-quiet': { path: ({ quiet }) => `/events/manage/${quiet}`, until: 'No Beacon Applications' },
  'manage-missing': { path: '/events/manage/999999', until: 'Event Not Found' },
  'customize-email': { path: ({ busy }) => `/events/${busy}/customize`, until: 'Placeholders' },
  'customize-questions': {
    path: ({ busy }) => `/events/${busy}/customize`,
    until: 'Placeholders',
    press: press('tab', 'Application Questions'),
  },
  'customize-missing': { path: '/events/999999/customize', until: 'Error Loading Event' },
  'pricing-signed-in': { path: '/pricing', until: 'Current Plan' },
  checkout: { path: '/checkout?planId=2', until: 'Plan Summary' },
  'checkout-invalid': { path: '/checkout?planId=99', until: 'Invalid Plan' },
  subscription: { path: '/subscription', until: 'Go to Dashboard' },
  'manage-subscription': { path: '/manage-subscription', until: 'Change Plan' },
  'billing-history': { path: '/billing-history', until: 'Sample data' },
  profile: { path: '/profile', until: 'Delete Account' },
  'access-denied': { path: '/admin', until: 'Access Denied' },
} as const satisfies Record<string, SeenScreen>

/** What somebody sees who has just signed up. */
const newcomerScreens = {
  'dashboard-empty': { path: '/dashboard', until: 'No Events Yet' },
  'create-without-plan': { path: '/events/create', until: 'Subscription Required' },
  'subscription-none': { path: '/subscription', until: 'No Active Subscription' },
  'manage-subscription-none': { path: '/manage-subscription', until: 'No Active Subscription' },
  'profile-free': { path: '/profile', until: 'Delete Account' },
} as const satisfies Record<string, SeenScreen>

/** What Otto sees, whose plan is used up. */
const ottoScreens = {
  'dashboard-limit': { path: '/dashboard', until: 'Limit reached.' },
  'manage-subscription-limit': { path: '/manage-subscription', until: 'Upgrade Plan' },
  'profile-limit': { path: '/profile', until: 'Delete Account' },
} as const satisfies Record<string, SeenScreen>

/** What Ada sees. */
const adaScreens = {
  admin: { path: '/admin', until: 'Total Users' },
} as const satisfies Record<string, SeenScreen>

/** Who sees which screens; every text the table calls seen is looked for on its screen. */
export const seenScreens = {
  visitor: visitorScreens,
  olivia: oliviaScreens,
  newcomer: newcomerScreens,
  otto: ottoScreens,
  ada: adaScreens,
} as const satisfies Record<string, Record<string, SeenScreen>>

export type ScreenName = {
  [Who in keyof typeof seenScreens]: keyof (typeof seenScreens)[Who]
}[keyof typeof seenScreens]

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
