import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { accountMailScreens, newcomerScreens, signInAsNewcomer } from './accounts/account-mail-screens.ts'
import { adminScreens, organizerAccountScreens } from './accounts/account-screens.ts'
import { goToQuestions } from './applications/application-form.ts'
import { busiestEvent, endUndoWindow } from './applications/applicants.ts'
import { applicantScreens } from './applications/applicant-screens.ts'
import { tell } from './client.ts'
import { ada, olivia, otto, signIn, type PersonalDevice } from './journey.ts'
import { mailLogScreen } from './mail/mail-log-screen.ts'
import { field, press, rows, screen, see, type Screen } from './screen.ts'
import { organizerPlanScreens, usedUpScreens, visitorPlanScreens } from './billing/plan-screens.ts'
import { readingPages } from './site/reading-pages.ts'
import { noEventsScreen, searchScreens } from './events/search-screens.ts'

interface DemoIds {
  /** Where most people wait for Olivia. */
  readonly managed: number
  /** Upcoming, with approved Beacons, of Olivia. */
  readonly published: number
}

/** Events of the demo that show a screen at its fullest. */
export const findDemoIds = async (db: Knex): Promise<DemoIds> => ({
  managed: (await busiestEvent(db)).eventId,
  published: (await busiestEvent(db, 'approved')).eventId,
})

const article = ['/blog/brief-your-beacons', 'Brief your Beacons in fifteen minutes'] as const

/** Somebody who sees screens of their own, and how they come in. */
export interface Viewer {
  readonly name: 'a visitor' | 'a used-up plan' | 'a newcomer' | 'an admin' | 'an organizer'
  comeIn(page: Page): Promise<void>
  readonly screens: readonly Screen[]
}

/** Everybody who looks at the app. */
export const viewers = (ids: DemoIds): readonly Viewer[] => [
  { name: 'a visitor', comeIn: async () => undefined, screens: visitorScreens(ids) },
  { name: 'a used-up plan', comeIn: (page) => signIn(page, otto), screens: usedUpScreens },
  { name: 'a newcomer', comeIn: signInAsNewcomer, screens: newcomerScreens },
  { name: 'an admin', comeIn: (page) => signIn(page, ada), screens: adminScreens },
  { name: 'an organizer', comeIn: (page) => signIn(page, olivia), screens: organizerScreens(ids) },
]

/** What anybody may see. */
function visitorScreens({ published }: DemoIds): Screen[] {
  const event = `/events/${published}`
  return [
    noEventsScreen,
    screen('landing', '/', see('heading', /Nobody should stand alone/)),
    screen('sign-in', '/auth', 'olivia@example.com'),
    screen('sign-up', '/auth', press('tab', 'Sign Up'), field('Username')),
    screen('events', '/events', see('link', /View Details/)),
    screen('event', event, see('heading', 'Meet the Beacons')),
    screen('event-calendars', event, press('button', 'Google or Outlook'), see('menuitem')),
    screen('event-code', event, press('button', 'Show QR code'), see('dialog')),
    screen('apply', `${event}/apply`, see('button', 'Continue')),
    screen('here-unknown', `${event}/here`, see('heading', 'No application on this device')),
    screen('team-join', '/team/join#none', see('heading', 'This invitation does not work')),
    screen('apply-questions', `${event}/apply`, goToQuestions, see('button', 'Submit Application')),
    screen('my-applications', '/my-applications', see('heading', 'Your applications', 1)),
    ...accountMailScreens,
    ...applicantScreens(published),
    ...visitorPlanScreens,
    ...searchScreens,
    ...[...readingPages, article].map(([path, title]) =>
      screen(path.slice(1).replace('/', '-'), path, see('heading', title, 1)),
    ),
    screen('not-found', '/nowhere', '404 Page Not Found'),
  ]
}

async function selectThree(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  for (const place of [0, 1, 2]) await page.locator('[data-row]').nth(place).getByRole('checkbox').check()
  await page.getByText('3 selected').waitFor()
}

const pressForSelected = (name: 'Approve' | 'Reject') => (page: Page) =>
  page.getByRole('region', { name: 'Selection' }).getByRole('button', { name }).click()

/** What a signed-in organizer sees. The order matters to nobody. */
function organizerScreens({ managed, published }: DemoIds): Screen[] {
  const manage = `/events/manage/${managed}`
  const customize = (part: string) => [press('tab', part), see('tabpanel', part)]
  return [
    screen('inbox', '/inbox', rows),
    screen('dashboard', '/dashboard', see('link', /Manage Event/)),
    screen('analytics', '/analytics', see('heading', 'Where applications come from')),
    screen('create', '/events/create', field('Event Name')),
    screen('edit', `/events/edit/${managed}`, field('Event Name')),
    screen('manage', manage, rows),
    screen('manage-view', manage, (page) => page.locator('[data-view]').first().click(), see('dialog')),
    screen('own-event', `/events/${managed}`, see('navigation', 'Your event')),
    mailLogScreen(managed),
    screen('manage-menu', manage, rows, press('button', 'More'), see('menuitem', 'QR poster')),
    screen(
      'manage-scan',
      `/events/manage/${published}`,
      rows,
      press('button', 'More'),
      press('menuitem', 'Scan an application'),
      see('dialog'),
    ),
    screen('manage-select', manage, rows, selectThree),
    screen('manage-approve-many', manage, rows, selectThree, pressForSelected('Approve'), see('dialog')),
    screen('manage-reject-many', manage, rows, selectThree, pressForSelected('Reject'), see('dialog')),
    screen('poster', `${manage}/poster`, see('heading', 'Become a Beacon')),
    screen(
      'poster-door',
      `${manage}/poster`,
      press('button', 'Check in at the door'),
      see('heading', 'Beacons, check in here'),
    ),
    screen('board', `/events/manage/${published}/board`, see('heading', 'Who is where')),
    screen('ready', `/events/manage/${published}/ready`, see('button', 'Check now')),
    screen('beacon-list', `/events/manage/${published}/beacons`, see('table')),
    screen('create-from-template', `/events/create?template=${managed}`, /Filled in from/),
    screen('manage-delete', manage, rows, press('button', 'Delete'), see('alertdialog')),
    screen('customize-email', `/events/${managed}/customize`, ...customize('Email Templates')),
    screen('customize-questions', `/events/${managed}/customize`, ...customize('Application Questions')),
    ...organizerPlanScreens,
    ...organizerAccountScreens,
    screen('team', '/team', see('heading', 'No one helps you yet')),
    screen('team-invite', '/team', press('button', 'Invite Someone'), see('dialog')),
    screen('sync-empty', '/sync', see('heading', 'Everything is saved online.')),
    screen('landing-signed-in', '/', see('link', 'Go to Dashboard')),
  ]
}

/**
 * Leaves a refused decision on Olivia's phone: approved without a network, while her session deletes the event from elsewhere.
 * She is signed in here. Ends on the screen that lists it.
 */
export async function parkAnApproval({ page, context }: PersonalDevice, eventId: number): Promise<void> {
  await signIn(page, olivia)
  await page.goto(`/events/manage/${eventId}`)
  const approve = page.getByRole('button', { name: /^Approve / }).first()
  await approve.waitFor()
  await context.setOffline(true)
  await approve.click()
  await page.getByText('saved on this device').first().waitFor()
  await endUndoWindow(page)
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  await tell(new URL(page.url()).origin, `/api/events/${eventId}`, {}, { method: 'DELETE', cookie })
  await page.goto('/sync')
  await context.setOffline(false)
  await page.getByRole('list', { name: 'Needs attention' }).waitFor()
}
