import type { RefusedChange, StrandedJobs } from '#shared/admin/admin-calls.ts'
import type { Page } from 'playwright/test'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { headers } from '#shared/contract/request.ts'
import type { Screen } from '../screens.ts'

async function visit(page: Page, path: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await arrived()
  // Text in the fallback face has other widths.
  await page.evaluate(() => document.fonts.ready)
}

/** In the address of a page that believes that alerts are on here. */
const alertsOn = '#alerts-on'

const alerted = (id: number, deviceName: string, more: Partial<AlertedDevice>): AlertedDevice => ({
  id,
  deviceName,
  since: '2026-06-03T09:12:00.000Z',
  lastDeliveredAt: '2026-11-20T18:41:00.000Z',
  failing: false,
  current: false,
  quietHours: null,
  ...more,
})

/** What a server would tell whose push service has been at work for some months. */
const alertedDevices: readonly AlertedDevice[] = [
  alerted(1, 'Phone at the door', {
    current: true,
    quietHours: { from: '22:00', to: '07:00', timeZone: 'America/Chicago' },
  }),
  alerted(2, 'iPad of the front desk', { since: '2025-09-27T09:12:00.000Z' }),
  alerted(3, 'Old phone', { lastDeliveredAt: null, failing: true }),
]

/** Opens the profile as on a device whose alerts are on, which needs a push service and some history. */
async function openAlerts(page: Page): Promise<void> {
  await page.addInitScript((here) => {
    if (location.hash !== here) return
    const subscription = { endpoint: 'https://push.invalid/here', toJSON: () => ({}), unsubscribe: async () => true }
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    PushManager.prototype.getSubscription = () => Promise.resolve(subscription as unknown as PushSubscription)
  }, alertsOn)
  await page.route('**/api/push/subscriptions', async (route) => {
    if (!page.url().endsWith(alertsOn)) return await route.fallback()
    const isList = route.request().method() === 'GET'
    await route.fulfill({
      status: isList ? 200 : 204,
      headers: { [headers.serverVersion]: '1', 'Content-Type': 'application/json' },
      ...(isList ? { body: JSON.stringify(alertedDevices) } : {}),
    })
  })
  await visit(page, `/profile${alertsOn}`, async () => {
    // The hash alone loads no page.
    await page.reload()
    await page.getByText('Not getting through').waitFor()
    await page.getByRole('button', { name: 'Change Quiet Hours' }).waitFor()
    await profile(page)
  })
}

const profile = async (page: Page) => {
  await page.getByText('In use now').first().waitFor()
  await page.getByText(/^Up to date at/).waitFor()
}

/** What an organizer sees of the account, this device and the admin's pages. */
export const organizerAccountScreens: readonly Screen[] = [
  { name: 'profile', open: (page) => visit(page, '/profile', () => profile(page)) },
  {
    name: 'profile-rename',
    open: (page) =>
      visit(page, '/profile', async () => {
        await profile(page)
        await page.getByRole('button', { name: 'Rename this device' }).click()
        await page.getByLabel('Name of this device').waitFor()
      }),
  },
  { name: 'profile-alerts', open: openAlerts },
  {
    name: 'profile-quiet-hours',
    open: async (page) => {
      await openAlerts(page)
      await page.getByRole('button', { name: 'Change Quiet Hours' }).click()
      await page.getByRole('button', { name: 'Save Quiet Hours' }).waitFor()
    },
  },
  {
    name: 'account-settings',
    open: (page) => visit(page, '/account-settings', () => page.getByLabel('Current password').first().waitFor()),
  },
  {
    name: 'profile-wipe',
    open: (page) =>
      visit(page, '/profile', async () => {
        await profile(page)
        await page.getByRole('button', { name: 'Wipe This Device' }).click()
        await page.getByRole('alertdialog').waitFor()
      }),
  },
  {
    name: 'admin-denied',
    open: (page) => visit(page, '/admin', () => page.getByRole('heading', { name: 'Access Denied' }).waitFor()),
  },
]

/** What Ada sees of the platform. */
export const adminScreens: readonly Screen[] = [
  {
    name: 'admin',
    open: (page) => visit(page, '/admin', () => page.locator('[data-row]').first().waitFor()),
  },
  {
    name: 'admin-events',
    open: (page) =>
      adminPart(
        page,
        'Events',
        () =>
          page
            .getByRole('button', { name: /^Take down/ })
            .first()
            .waitFor(),
        {},
      ),
  },
  {
    name: 'admin-take-down',
    open: (page) =>
      adminPart(
        page,
        'Events',
        async () => {
          await page
            .getByRole('button', { name: /^Take down/ })
            .first()
            .click()
          await page.getByRole('dialog').waitFor()
        },
        {},
      ),
  },
  {
    name: 'admin-account',
    open: (page) => visit(page, '/admin/accounts/1', () => page.getByRole('table').last().waitFor()),
  },
  {
    name: 'admin-figures',
    open: (page) => adminPart(page, 'Figures', () => page.getByText('As a table').first().waitFor(), {}),
  },
  {
    name: 'admin-jobs',
    open: (page) => adminPart(page, 'Failed jobs', () => page.locator('[data-job]').first().waitFor()),
  },
  {
    name: 'admin-discard',
    open: (page) =>
      adminPart(page, 'Failed jobs', async () => {
        await page
          .getByRole('button', { name: /^Discard: / })
          .first()
          .click()
        await page.getByRole('alertdialog').waitFor()
      }),
  },
  {
    name: 'admin-refused',
    open: (page) => adminPart(page, 'Refused changes', () => page.locator('[data-refused]').first().waitFor()),
  },
  {
    name: 'admin-promo-codes',
    open: (page) =>
      adminPart(page, 'Promo codes', async () => {
        await page.getByRole('button', { name: 'New Promo Code' }).click()
        await page.getByLabel('Percent off').waitFor()
      }),
  },
  {
    name: 'admin-site',
    open: (page) =>
      adminPart(page, 'Site', async () => {
        await page.getByRole('button', { name: 'Write Your Own' }).last().click()
        await page.getByLabel('Your text').waitFor()
      }),
  },
  {
    name: 'admin-nothing-failed',
    open: (page) => adminPart(page, 'Failed jobs', () => page.getByText('Nothing has failed for good').waitFor(), {}),
  },
]

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

/** A bad day, as the server would tell of it. */
const badDay = (): StrandedJobs => {
  const job = { kind: 'send-mail', standing: 'dead', attempts: 20, since: anHourAgo() } as const
  return {
    jobs: [
      { ...job, id: 41, about: [{ what: 'mail', id: 212 }], lastError: 'the mail server answered 550' },
      { ...job, id: 40, about: [{ what: 'mail', id: 208 }], lastError: 'Error ECONNREFUSED' },
      {
        ...job,
        id: 38,
        kind: 'send-push',
        standing: 'overdue',
        attempts: 0,
        about: [{ what: 'event', id: 7 }],
        lastError: 'the push service answered 503',
      },
    ],
    counts: [
      { kind: 'send-mail', dead: 2, overdue: 0 },
      { kind: 'send-push', dead: 0, overdue: 1 },
    ],
  }
}

const refusals = (): RefusedChange[] => {
  const one = { deviceName: 'iPhone, Safari', times: 1, firstAt: anHourAgo(), lastAt: anHourAgo(), askedAt: null }
  const account = { id: 1, username: 'olivia' }
  return [
    {
      ...one,
      id: 9,
      route: 'decideApplication',
      what: 'Approve or reject an application',
      code: 'not_found',
      account,
      times: 3,
    },
    {
      ...one,
      id: 8,
      route: 'updateEvent',
      what: 'Change an event',
      code: 'invalid_input',
      account,
      askedAt: anHourAgo(),
    },
    {
      ...one,
      id: 7,
      route: 'applyAsBeacon',
      what: 'Apply as a Beacon',
      code: 'duplicate_application',
      account: null,
      deviceName: null,
      times: 12,
    },
  ]
}

/** One part of the admin's page; on a bad day unless said otherwise. */
async function adminPart(
  page: Page,
  name: string,
  arrived: () => Promise<void>,
  answers: { jobs?: StrandedJobs; refused?: RefusedChange[] } = { jobs: badDay(), refused: refusals() },
): Promise<void> {
  const paths = { '**/api/admin/jobs': answers.jobs, '**/api/admin/refused-changes': answers.refused }
  for (const [path, json] of Object.entries(paths)) {
    await page.unroute(path)
    // Our server's own answer with another content: anything else would be taken for no network.
    if (json) await page.route(path, async (route) => await route.fulfill({ response: await route.fetch(), json }))
  }
  await visit(page, '/admin', async () => {
    await page.getByRole('tab', { name: new RegExp(name) }).click()
    await arrived()
  })
}
