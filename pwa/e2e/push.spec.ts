import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Knex } from 'knex'
import type { BrowserContext, Page, Worker } from 'playwright/test'
import { headers } from '#shared/api/request.ts'
import { startPushService, type FakeSubscription, type PushService } from '../../sync-server/testing/push-service.ts'
import type { ServerProcess } from '../../sync-server/testing/server-process.ts'
import { expect, olivia, signIn, test as journey } from './journey.ts'

/** The part of a service worker's world these tests touch: the tests are compiled for pages. */
interface WorkerScope {
  registration: ServiceWorkerRegistration
  navigator: { setAppBadge(count: number): Promise<void> }
  clients: { openWindow(url: string): Promise<null> }
  NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Event
  dispatchEvent(event: Event): boolean
  addEventListener(type: 'push', listener: (event: Event) => void): void
  pushes: string[]
  seen: { badges: number[]; opened: string[] }
}

const test = journey.extend<{ pushService: PushService }>({
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
})

/** Gives the browser the push service it cannot have here: without one `subscribe` never answers. */
async function lendPushService(context: BrowserContext, subscription: FakeSubscription): Promise<void> {
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
async function pushReceiver(
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
  return async (data) => {
    await worker.evaluate(() => {
      const scope = self as unknown as WorkerScope
      scope.pushes = []
      scope.addEventListener('push', ({ type }) => void scope.pushes.push(type))
    })
    await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await expect
      .poll(() => worker.evaluate(() => (self as unknown as WorkerScope).pushes), {
        message: 'the browser hands the message to the worker',
      })
      .toEqual(['push'])
    await expect.poll(() => shownOn(worker), { message: 'the worker shows it' }).toHaveLength(1)
  }
}

interface Shown {
  title: string
  body: string
  tag: string
  actions: string[]
}

const shownOn = (worker: Worker): Promise<Shown[]> =>
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

/** What a tap on the notification (or one of its buttons) does in the worker. */
const tap = (worker: Worker, action = ''): Promise<void> =>
  worker.evaluate(async (pressed) => {
    const scope = self as unknown as WorkerScope
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('no notification is shown')
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: pressed }))
  }, action)

/** Writes down the numbers the worker puts on the app's icon, and the pages it would open: a script may not open one unasked. */
async function watchWorker(worker: Worker): Promise<() => Promise<WorkerScope['seen']>> {
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    scope.seen = { badges: [], opened: [] }
    scope.navigator.setAppBadge = (count) => Promise.resolve(void scope.seen.badges.push(count))
    scope.clients.openWindow = (url) => Promise.resolve((scope.seen.opened.push(url), null))
  })
  return () => worker.evaluate(() => (self as unknown as WorkerScope).seen)
}

interface UpcomingEvent {
  id: number
  name: string
  questions: string[]
}

async function upcomingEvent(db: Knex): Promise<UpcomingEvent> {
  const event = await db('events')
    .where({ organizer_id: 1 })
    .andWhere('end_date', '>', db.raw('current_date + 3'))
    .orderBy('id')
    .first<UpcomingEvent>('id', 'name', 'custom_questions as questions')
  if (!event) throw new Error('the demo has no upcoming event of Olivia')
  return event
}

let applicants = 0

/** A stranger applies; answers the application's id. */
async function applyTo(server: ServerProcess, { id, questions }: UpcomingEvent): Promise<number> {
  applicants += 1
  const answer = await fetch(`${server.origin}/api/events/${id}/beacons`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, [headers.idempotencyKey]: randomUUID() },
    body: JSON.stringify({
      firstName: 'Canary',
      lastName: 'Nightingale',
      email: `canary-${applicants}@example.com`,
      phone: '555-0100',
      linkedinUrl: null,
      company: null,
      jobTitle: null,
      experience: 'First time',
      expertise: 'Introductions',
      whyBeacon: 'I like people.',
      networkingStyle: 'Warm',
      bio: 'I sing at dawn.',
      customAnswers: questions.map((question) => ({ question, answer: 'Yes.' })),
      filledInMs: 60_000,
    }),
  })
  const body = (await answer.json()) as { id: number }
  expect(answer.status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** Olivia's phone with alerts on, as a person turns them on, and a way to bring it messages. */
async function phoneWithAlerts(
  { context, page }: { context: BrowserContext; page: Page },
  server: ServerProcess,
  service: PushService,
): Promise<{ worker: Worker; deliver: (data: string) => Promise<void>; endpoint: string }> {
  const subscription = service.subscribe()
  await lendPushService(context, subscription)
  await signIn(page, olivia)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  await page.getByRole('button', { name: 'Turn On Alerts' }).click()
  await expect(page.getByText('Alerts are on', { exact: true }).first()).toBeVisible()
  return { worker, deliver: await pushReceiver(context, page, worker, server.origin), endpoint: subscription.endpoint }
}

/** The newest message that came in for a device; the server gathers for some seconds first. */
async function nextMessage(service: PushService, endpoint: string, count = 1): Promise<string> {
  const mine = () => service.received.filter((message) => message.endpoint === endpoint)
  await expect.poll(() => mine().length, { timeout: 90_000, message: service.complaints.join('\n') }).toBe(count)
  return mine().at(-1)?.text ?? ''
}

test('a new application alerts the phone without a name, and a tap on the alert opens the applicant', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const phone = await device()
  const { page } = phone
  const { worker, deliver, endpoint } = await phoneWithAlerts(phone, server, pushService)
  const event = await upcomingEvent(db)
  const [before] = await db('applications')
    .join('events', 'events.id', 'event_id')
    .where({ organizer_id: 1, status: 'pending' })
    .count()

  const applicationId = await applyTo(server, event)
  const message = await nextMessage(pushService, endpoint)
  expect(pushService.complaints).toEqual([])
  expect(message).not.toMatch(/canary|nightingale|555|dawn/i)

  const seen = await watchWorker(worker)
  await deliver(message)
  await expect
    .poll(() => shownOn(worker))
    .toEqual([
      {
        title: event.name,
        body: 'New Beacon application',
        tag: `event-${event.id}`,
        actions: ['approved', 'rejected'],
      },
    ])
  await expect.poll(async () => (await seen()).badges.at(-1)).toBe(Number(before?.['count']) + 1)

  await page.goto('/events')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await tap(worker)
  await page.waitForURL(`**/events/manage/${event.id}?application=${applicationId}`)
  await expect(page.locator(`[data-row="${applicationId}"]`)).toContainText('Canary Nightingale')
  expect(await page.evaluate(() => 'sameDocument' in window), 'the open page went there without a reload').toBe(true)
  expect(await shownOn(worker), 'a tapped alert is gone').toEqual([])
  expect((await seen()).opened).toEqual([])
})

test('a tap on the alert opens a window when none is open, and several applications have no buttons', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const phone = await device()
  const { worker, deliver, endpoint } = await phoneWithAlerts(phone, server, pushService)
  const event = await upcomingEvent(db)
  await applyTo(server, event)
  await applyTo(server, event)
  const message = await nextMessage(pushService, endpoint)

  const seen = await watchWorker(worker)
  await deliver(message)
  await expect
    .poll(() => shownOn(worker))
    .toEqual([{ title: event.name, body: '2 new Beacon applications', tag: `event-${event.id}`, actions: [] }])
  await phone.page.close()
  await tap(worker)
  await expect.poll(async () => (await seen()).opened).toEqual([`/events/manage/${event.id}`])
})

test('Approve on the alert, pressed with no page open and the server dead, arrives once', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const phone = await device()
  const { worker, deliver, endpoint } = await phoneWithAlerts(phone, server, pushService)
  const event = await upcomingEvent(db)
  await phone.page.goto(`/events/manage/${event.id}`)
  const applicationId = await applyTo(server, event)
  const message = await nextMessage(pushService, endpoint)
  await expect(phone.page.locator(`[data-row="${applicationId}"]`)).toHaveCount(0)
  await phone.page.getByRole('button', { name: '1 new' }).click()
  await expect(phone.page.locator(`[data-row="${applicationId}"]`)).toContainText('Pending')

  await server.kill()
  await deliver(message)
  await phone.page.close()
  const seen = await watchWorker(worker)
  await tap(worker, 'approved')
  await expect.poll(() => shownOn(worker)).toEqual([])

  const page = await phone.context.newPage()
  await page.goto(`/events/manage/${event.id}`)
  const row = page.locator(`[data-row="${applicationId}"]`)
  await expect(row).toContainText('Approved')
  await expect(row).toContainText('saved on this phone')
  expect((await seen()).opened, 'a decision opens nothing').toEqual([])

  await server.start()
  await expect(row).not.toContainText(/saved on this phone|sent/, { timeout: 60_000 })
  await expect(row).toContainText('Approved')
  expect(await db('applications').where({ id: applicationId }).first('status', 'decision_number')).toEqual({
    status: 'approved',
    decision_number: 1,
  })
  expect(await db('application_decisions').where({ application_id: applicationId })).toHaveLength(1)
  expect(await db('jobs').where('key', 'like', `decision-mail:${applicationId}:%`)).toHaveLength(1)
})

test('Approve on the alert shows at once on a page that is open, though it was the worker that kept it', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const phone = await device()
  const { worker, deliver, endpoint } = await phoneWithAlerts(phone, server, pushService)
  const event = await upcomingEvent(db)
  await phone.page.goto(`/events/manage/${event.id}`)
  const applicationId = await applyTo(server, event)
  const message = await nextMessage(pushService, endpoint)
  const row = phone.page.locator(`[data-row="${applicationId}"]`)
  await phone.page.getByRole('button', { name: '1 new' }).click()
  await expect(row).toContainText('Pending')

  await server.kill()
  await deliver(message)
  await tap(worker, 'approved')
  await expect(row).toContainText('Approved', { timeout: 2_000 })
  await expect(row).toContainText('saved on this phone')

  await server.start()
  await expect(row).not.toContainText(/saved on this phone|sent/, { timeout: 60_000 })
  await expect(row).toContainText('Approved')
  expect(await db('application_decisions').where({ application_id: applicationId })).toHaveLength(1)
})
