import { writeFile } from 'node:fs/promises'
import type { BrowserContext, Page, Worker } from 'playwright/test'
import {
  startPushService,
  type FakeSubscription,
  type PushService,
} from '../../../sync-server/testing/push/push-service.ts'
import type { ServerProcess } from '../../../sync-server/testing/server-process.ts'
import { applyByCall } from '../client.ts'
import { expect, olivia, signIn, wholeBrowserTest, type PersonalDevice } from '../journey.ts'

/** The part of a service worker's world these tests touch: the tests are compiled for pages. */
interface WorkerScope {
  registration: ServiceWorkerRegistration
  navigator: { setAppBadge(count: number): Promise<void> }
  clients: { openWindow(url: string): Promise<null> }
  NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Event
  dispatchEvent(event: Event): boolean
  /** Notifications the worker has shown. */
  shown: number
  seen: { badges: number[]; opened: string[] }
}

/** What alerts a phone. */
interface Alerted {
  readonly worker: Worker
  /** Hands a message to the worker as the browser does. */
  deliver(data: string): Promise<void>
  readonly endpoint: string
}

/** A journey whose server sends to a push service on this machine; in `alerted` Olivia has turned alerts on, on its first device. */
export const test = wholeBrowserTest.extend<{ pushService: PushService; alerted: Alerted }>({
  pushService: async ({}, use) => {
    const service = await startPushService()
    await use(service)
    await service.close()
  },
  serverEnv: async ({ pushService }, use, testInfo) => {
    const authority = testInfo.outputPath('push-authority.pem')
    await writeFile(authority, pushService.ca)
    await use({ PUSH_HOSTS: pushService.host, NODE_EXTRA_CA_CERTS: authority })
  },
  alerted: async ({ context, page, server, pushService }, use) => {
    const endpoint = await turnOnAlerts({ context, page }, pushService)
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('no service worker')
    await use({ worker, endpoint, deliver: await pushReceiver(context, page, worker, server.origin) })
  },
})

/** Gives the browser the push service it cannot have here: without one `subscribe` never answers. */
export async function lendPushService(context: BrowserContext, subscription: FakeSubscription): Promise<void> {
  await context.grantPermissions(['notifications', 'background-sync'])
  await context.addInitScript((given) => {
    const kept = 'test/subscribed'
    const current = {
      endpoint: given.endpoint,
      toJSON: () => given,
      unsubscribe: () => Promise.resolve(true).finally(() => localStorage.removeItem(kept)),
    }
    PushManager.prototype.subscribe = () => {
      localStorage.setItem(kept, '1')
      return Promise.resolve(current as unknown as PushSubscription)
    }
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(localStorage.getItem(kept) ? (current as unknown as PushSubscription) : null)
  }, subscription)
}

/** Hands a decrypted message to the service worker as the browser does, and waits until it has been shown. */
export async function pushReceiver(
  context: BrowserContext,
  page: Page,
  worker: Worker,
  origin: string,
): Promise<(data: string) => Promise<void>> {
  const browser = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (ours) resolve(ours.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const registrationId = await registered
  // Chromium keeps only those notifications that it finds on the screen whenever it is asked for them: it is asked once they are.
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    const show = scope.registration.showNotification.bind(scope.registration)
    scope.shown = 0
    scope.registration.showNotification = async (...notification) => {
      await show(...notification)
      scope.shown += 1
    }
  })
  const shown = () => worker.evaluate(() => (self as unknown as WorkerScope).shown)
  return async (data) => {
    const before = await shown()
    await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await expect.poll(shown, { message: 'the worker shows what the browser hands to it' }).toBe(before + 1)
    await expect.poll(() => shownOn(worker), { message: 'it is on the screen' }).toHaveLength(1)
  }
}

export interface Shown {
  title: string
  body: string
  tag: string
  actions: string[]
}

export const shownOn = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope
    const shown = (await registration.getNotifications()) as (Notification & { actions: { action: string }[] })[]
    return shown.map(({ title, body, tag, actions }) => ({
      title,
      body,
      tag,
      actions: actions.map(({ action }) => action),
    }))
  })

/** Whether each notification that is shown made itself heard though it took the place of another one. */
export const renotifiesOn = (worker: Worker): Promise<boolean[]> =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope
    const shown = (await registration.getNotifications()) as (Notification & { renotify: boolean })[]
    return shown.map(({ renotify }) => renotify)
  })

/** What a tap on the notification (or one of its buttons) does in the worker. */
export const tap = (worker: Worker, action = ''): Promise<void> =>
  worker.evaluate(async (pressed) => {
    const scope = self as unknown as WorkerScope
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('no notification is shown')
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: pressed }))
  }, action)

/** Writes down the numbers the worker puts on the app's icon, and the pages it would open: a script may not open one unasked. */
export async function watchWorker(worker: Worker): Promise<() => Promise<WorkerScope['seen']>> {
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    scope.seen = { badges: [], opened: [] }
    scope.navigator.setAppBadge = (count) => Promise.resolve(void scope.seen.badges.push(count))
    scope.clients.openWindow = (url) => Promise.resolve((scope.seen.opened.push(url), null))
  })
  return () => worker.evaluate(() => (self as unknown as WorkerScope).seen)
}

let applicants = 0

/** A stranger applies; answers the application's id. */
export async function applyTo({ origin }: ServerProcess, eventId: number): Promise<number> {
  applicants += 1
  const email = `canary-${applicants}@example.com`
  const canary = { firstName: 'Canary', lastName: 'Nightingale', email, phone: '555-0100', bio: 'I sing at dawn.' }
  return (await applyByCall(origin, eventId, canary)).id
}

/** Signs Olivia in and turns alerts on as a person does. Returns where its messages are sent. */
export async function turnOnAlerts({ context, page }: PersonalDevice, service: PushService): Promise<string> {
  const subscription = service.subscribe()
  await lendPushService(context, subscription)
  await signIn(page, olivia)
  await page.getByRole('button', { name: 'Turn On Alerts' }).click()
  await expect(page.getByText('Alerts are on', { exact: true }).first()).toBeVisible()
  return subscription.endpoint
}

/** The newest message that came in for a device; the server gathers for some seconds first. */
export async function nextMessage(service: PushService, endpoint: string, count = 1): Promise<string> {
  const mine = () => service.received.filter((message) => message.endpoint === endpoint)
  await expect.poll(() => mine().length, { timeout: 90_000, message: service.complaints.join('\n') }).toBe(count)
  return mine().at(-1)?.text ?? ''
}
