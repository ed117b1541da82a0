import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { accountMailScreens, newcomerScreens, signInAsNewcomer } from './accounts/account-mail-screens.ts'
import { adminScreens, organizerAccountScreens } from './accounts/account-screens.ts'
import { goToQuestions } from './applications/application-form.ts'
import { applicantScreens } from './applications/applicant-screens.ts'
import { ada, olivia, otto, signIn, type PersonalDevice } from './journey.ts'
import { mailLogScreen } from './mail/mail-log-screen.ts'
import { organizerPlanScreens, usedUpScreens, visitorPlanScreens } from './billing/plan-screens.ts'
import { readingPages } from './site/reading-pages.ts'
import { noEventsScreen, searchScreens } from './events/search-screens.ts'

/** Every screen there is, as a visitor or as Olivia sees it; for whoever looks at all of them. */
export interface Screen {
  readonly name: string
  /** Goes there and waits until the screen shows what it is about. */
  open(page: Page): Promise<void>
}

interface DemoIds {
  /** Where most people wait for Olivia. */
  readonly managed: number
  /** Upcoming, with approved Beacons, of Olivia. */
  readonly published: number
}

/** Events of the demo that show a screen at its fullest. */
export async function findDemoIds(db: Knex): Promise<DemoIds> {
  const most = async (status: 'pending' | 'approved'): Promise<number> => {
    const row = await db('applications')
      .join('events', 'events.id', 'applications.eventId')
      .where('applications.status', status)
      .andWhere('events.organizerId', 1)
      .andWhere('events.endDate', '>', db.raw('current_date'))
      .groupBy('events.id')
      .orderByRaw('count(*) desc')
      .first('events.id')
    if (!row) throw new Error(`nobody is ${status} in the demo`)
    return row.id
  }
  return { managed: await most('pending'), published: await most('approved') }
}

const heading = (page: Page, name: string | RegExp, level?: number) =>
  page
    .getByRole('heading', { name, ...(level ? { level } : {}) })
    .first()
    .waitFor()

const article = ['/blog/brief-your-beacons', 'Brief your Beacons in fifteen minutes'] as const

/** Somebody who sees screens of their own, and how they come in. */
interface Viewer {
  comeIn(page: Page): Promise<void>
  readonly screens: readonly Screen[]
}

/** Everybody who looks at the app but Olivia. */
export const otherViewers = (ids: DemoIds): readonly Viewer[] => [
  { comeIn: async () => undefined, screens: visitorScreens(ids) },
  { comeIn: (page) => signIn(page, otto), screens: usedUpScreens },
  { comeIn: signInAsNewcomer, screens: newcomerScreens },
  { comeIn: (page) => signIn(page, ada), screens: adminScreens },
]

/** What anybody may see. */
function visitorScreens({ published }: DemoIds): Screen[] {
  return [
    noEventsScreen,
    { name: 'landing', open: (page) => visit(page, '/', () => heading(page, /Nobody should stand alone/)) },
    {
      name: 'sign-in',
      open: (page) => visit(page, '/auth', () => page.getByText('olivia@example.com').first().waitFor()),
    },
    {
      name: 'sign-up',
      open: (page) =>
        visit(page, '/auth', async () => {
          await page.getByRole('tab', { name: 'Sign Up' }).click()
          await page.getByLabel('Username').waitFor()
        }),
    },
    {
      name: 'events',
      open: (page) =>
        visit(page, '/events', () =>
          page
            .getByRole('link', { name: /View Details/ })
            .first()
            .waitFor(),
        ),
    },
    { name: 'event', open: (page) => visit(page, `/events/${published}`, () => heading(page, 'Meet the Beacons')) },
    {
      name: 'event-calendars',
      open: (page) =>
        visit(page, `/events/${published}`, async () => {
          await page.getByRole('button', { name: 'Google or Outlook' }).click()
          await page.getByRole('menuitem').first().waitFor()
        }),
    },
    {
      name: 'event-code',
      open: (page) =>
        visit(page, `/events/${published}`, async () => {
          await page.getByRole('button', { name: 'Show QR code' }).click()
          await page.getByRole('dialog').waitFor()
        }),
    },
    {
      name: 'apply',
      open: (page) =>
        visit(page, `/events/${published}/apply`, () => page.getByRole('button', { name: 'Continue' }).waitFor()),
    },
    {
      name: 'apply-questions',
      open: (page) =>
        visit(page, `/events/${published}/apply`, async () => {
          await goToQuestions(page)
          await page.getByRole('button', { name: 'Submit Application' }).waitFor()
        }),
    },
    {
      name: 'my-applications',
      open: (page) => visit(page, '/my-applications', () => heading(page, 'Your applications', 1)),
    },
    ...accountMailScreens,
    ...applicantScreens(published),
    ...visitorPlanScreens,
    ...searchScreens,
    ...[...readingPages, article].map(([path, title]) => ({
      name: path.slice(1).replace('/', '-'),
      open: (page: Page) => visit(page, path, () => heading(page, title, 1)),
    })),
    {
      name: 'not-found',
      open: (page) => visit(page, '/nowhere', () => page.getByText('404 Page Not Found').waitFor()),
    },
  ]
}

/** What a signed-in organizer sees. The order matters to nobody. */
export function organizerScreens({ managed, published }: DemoIds): Screen[] {
  const rows = (page: Page) => page.locator('[data-row]').first().waitFor()
  const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selection' })
  const selectThree = async (page: Page) => {
    await rows(page)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    for (const place of [0, 1, 2]) await page.locator('[data-row]').nth(place).getByRole('checkbox').check()
    await page.getByText('3 selected').waitFor()
  }
  const customize = async (page: Page, tab: string) => {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  }
  return [
    { name: 'inbox', open: (page) => visit(page, '/inbox', () => rows(page)) },
    {
      name: 'dashboard',
      open: (page) =>
        visit(page, '/dashboard', () =>
          page
            .getByRole('link', { name: /Manage Event/ })
            .first()
            .waitFor(),
        ),
    },
    {
      name: 'analytics',
      open: (page) => visit(page, '/analytics', () => heading(page, 'Where applications come from')),
    },
    { name: 'create', open: (page) => visit(page, '/events/create', () => page.getByLabel('Event Name').waitFor()) },
    {
      name: 'edit',
      open: (page) => visit(page, `/events/edit/${managed}`, () => page.getByLabel('Event Name').waitFor()),
    },
    { name: 'manage', open: (page) => visit(page, `/events/manage/${managed}`, () => rows(page)) },
    {
      name: 'manage-view',
      open: (page) =>
        visit(page, `/events/manage/${managed}`, async () => {
          await page.locator('[data-view]').first().click()
          await page.getByRole('dialog').waitFor()
        }),
    },
    {
      name: 'own-event',
      open: (page) =>
        visit(page, `/events/${managed}`, () => page.getByRole('navigation', { name: 'Your event' }).waitFor()),
    },
    mailLogScreen(managed),
    {
      name: 'manage-menu',
      open: (page) =>
        visit(page, `/events/manage/${managed}`, async () => {
          await rows(page)
          await page.getByRole('button', { name: 'More', exact: true }).click()
          await page.getByRole('menuitem', { name: 'QR poster' }).waitFor()
        }),
    },
    {
      name: 'manage-select',
      open: (page) => visit(page, `/events/manage/${managed}`, () => selectThree(page)),
    },
    {
      name: 'manage-approve-many',
      open: (page) =>
        visit(page, `/events/manage/${managed}`, async () => {
          await selectThree(page)
          await selectionBar(page).getByRole('button', { name: 'Approve' }).click()
          await page.getByRole('dialog').waitFor()
        }),
    },
    {
      name: 'manage-reject-many',
      open: (page) =>
        visit(page, `/events/manage/${managed}`, async () => {
          await selectThree(page)
          await selectionBar(page).getByRole('button', { name: 'Reject' }).click()
          await page.getByRole('dialog').waitFor()
        }),
    },
    {
      name: 'poster',
      open: (page) => visit(page, `/events/manage/${managed}/poster`, () => heading(page, 'Become a Beacon')),
    },
    {
      name: 'beacon-list',
      open: (page) => visit(page, `/events/manage/${published}/beacons`, () => page.getByRole('table').waitFor()),
    },
    {
      name: 'create-from-template',
      open: (page) =>
        visit(page, `/events/create?template=${managed}`, () => page.getByText(/Filled in from/).waitFor()),
    },
    {
      name: 'manage-delete',
      open: (page) =>
        visit(page, `/events/manage/${managed}`, async () => {
          await rows(page)
          await page.getByRole('button', { name: 'Delete', exact: true }).click()
          await page.getByRole('alertdialog').waitFor()
        }),
    },
    {
      name: 'customize-email',
      open: (page) => visit(page, `/events/${managed}/customize`, () => customize(page, 'Email Templates')),
    },
    {
      name: 'customize-questions',
      open: (page) => visit(page, `/events/${managed}/customize`, () => customize(page, 'Application Questions')),
    },
    ...organizerPlanScreens,
    ...organizerAccountScreens,
    {
      name: 'sync-empty',
      open: (page) =>
        visit(page, '/sync', () => page.getByRole('heading', { name: 'Everything is saved online.' }).waitFor()),
    },
    {
      name: 'landing-signed-in',
      open: (page) => visit(page, '/', () => page.getByRole('link', { name: 'Go to Dashboard' }).waitFor()),
    },
  ]
}

async function visit(page: Page, path: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await arrived()
  // Text in the fallback face has other widths.
  await page.evaluate(() => document.fonts.ready)
}

/**
 * Leaves a refused decision on Olivia's phone: approved without a network, while her other device deletes the event.
 * Both are signed in here. Ends on the screen that lists it.
 */
export async function parkAnApproval(phone: PersonalDevice, other: PersonalDevice, eventId: number): Promise<void> {
  const { page } = phone
  await signIn(page, olivia)
  await page.goto(`/events/manage/${eventId}`)
  await page.locator('[data-row]').first().waitFor()
  await phone.context.setOffline(true)
  await page
    .getByRole('button', { name: /^Approve / })
    .first()
    .click()
  await page.getByText('saved on this device').first().waitFor()

  await signIn(other.page, olivia)
  await other.page.goto(`/events/manage/${eventId}`)
  await other.page.getByRole('button', { name: 'Delete', exact: true }).click()
  const gone = other.page.waitForResponse(
    (answer) => answer.request().method() !== 'GET' && answer.url().includes('/api/') && answer.ok(),
  )
  await other.page.getByRole('button', { name: 'Delete Event' }).click()
  await gone

  await page.goto('/sync')
  await phone.context.setOffline(false)
  await page.getByRole('list', { name: 'Needs attention' }).waitFor()
}
