import type { FailedJob } from '#shared/admin/admin-calls.ts'
import type { Page } from 'playwright/test'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { headers } from '#shared/contract/request.ts'
import { field, press, reload, rows, screen, see, type Screen } from '../screen.ts'

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
  showNames: false,
  ...more,
})

/** What a server would tell whose push service has been at work for some months. */
const alertedDevices: readonly AlertedDevice[] = [
  alerted(1, 'Phone at the door', {
    current: true,
    quietHours: { from: '22:00', to: '07:00', timeZone: 'America/Chicago' },
  }),
  alerted(2, 'iPad of the front desk', { showNames: true, since: '2025-09-27T09:12:00.000Z' }),
  alerted(3, 'Old phone', { lastDeliveredAt: null, failing: true }),
]

/** The profile as on a device whose alerts are on, which needs a push service and some history. */
async function profileWithAlerts(page: Page): Promise<string> {
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
  return `/profile${alertsOn}`
}

const profile = ['In use now', /^Up to date at/] as const
const changeQuietHours = 'Change Quiet Hours'
// The hash alone loads no page.
const alerts = [reload, 'Not getting through', see('button', changeQuietHours), ...profile] as const

/** What an organizer sees of the account, this device and the admin's pages. */
export const organizerAccountScreens: readonly Screen[] = [
  screen('profile', '/profile', ...profile),
  screen('profile-rename', '/profile', ...profile, press('button', 'Rename this device'), field('Name of this device')),
  screen('profile-alerts', profileWithAlerts, ...alerts),
  screen(
    'profile-quiet-hours',
    profileWithAlerts,
    ...alerts,
    press('button', changeQuietHours),
    see('button', 'Save Quiet Hours'),
  ),
  screen('account-settings', '/account-settings', field('Current password')),
  screen('profile-wipe', '/profile', ...profile, press('button', 'Wipe This Device'), see('alertdialog')),
  screen('admin-denied', '/admin', see('heading', 'Access Denied')),
]

const failedJobs: readonly FailedJob[] = [
  {
    id: 41,
    kind: 'send-mail',
    about: 'mail 212',
    attempts: 20,
    lastError: 'the mail server answered 550',
    failedAt: new Date(Date.now() - 3_600_000).toISOString(),
  },
]

/** The admin's page, with failed jobs or as it is. */
const adminPage = (jobs: 'failed' | 'real') => async (page: Page) => {
  const path = '**/api/admin/jobs'
  await page.unroute(path)
  // The answer is our server's own with another content: anything else would be taken for no network.
  if (jobs === 'failed')
    await page.route(path, async (route) => await route.fulfill({ response: await route.fetch(), json: failedJobs }))
  return '/admin'
}

/** What Ada sees of the platform. */
export const adminScreens: readonly Screen[] = [
  screen('admin', '/admin', rows),
  screen('admin-events', adminPage('real'), press('tab', /Events/), see('button', /^Take down/)),
  screen('admin-take-down', adminPage('real'), press('tab', /Events/), press('button', /^Take down/), see('dialog')),
  screen('admin-account', '/admin/accounts/1', (page) => page.getByRole('table').last()),
  screen('admin-figures', adminPage('real'), press('tab', /Figures/), 'As a table'),
  screen('admin-jobs', adminPage('failed'), press('tab', /Failed jobs/), see('button', /^Retry: /)),
  screen(
    'admin-discard',
    adminPage('failed'),
    press('tab', /Failed jobs/),
    press('button', /^Discard: /),
    see('alertdialog'),
  ),
  screen(
    'admin-promo-codes',
    '/admin',
    press('tab', /Promo codes/),
    press('button', 'New Promo Code'),
    field('Percent off'),
  ),
  screen(
    'admin-site',
    '/admin',
    press('tab', /Site/),
    (page) => page.getByRole('button', { name: 'Write Your Own' }).last().click(),
    field('Your text'),
  ),
  screen('admin-nothing-failed', adminPage('real'), press('tab', /Failed jobs/), 'No failed jobs'),
]
