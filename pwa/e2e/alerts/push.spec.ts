import { underWay } from '../applications/applicants.ts'
import { expect } from '../journey.ts'
import {
  applyTo,
  nextMessage,
  openAlertedPhone,
  renotifiesOn,
  shownOn,
  tap,
  test,
  watchWorker,
} from './push-journey.ts'

/** Somebody applies while Olivia looks at the applicants, and she lets the new one in; the alert has come as well. */
async function openNewApplicant(journey: Parameters<typeof openAlertedPhone>[0]) {
  const alerted = await openAlertedPhone(journey)
  const { phone, event, endpoint } = alerted
  await phone.page.goto(`/events/manage/${event.id}`)
  const applicationId = await applyTo(journey.server, event)
  const message = await nextMessage(journey.pushService, endpoint)
  const row = phone.page.locator(`[data-row="${applicationId}"]`)
  await expect(row).toHaveCount(0)
  await phone.page.getByRole('button', { name: '1 new' }).click()
  await expect(row).toContainText('Pending')
  return { ...alerted, applicationId, message, row }
}

test('a new application alerts the phone without a name, and a tap on the alert opens the applicant', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const { phone, worker, deliver, endpoint, event } = await openAlertedPhone({ device, server, db, pushService })
  const { page } = phone
  const [before] = await db('applications')
    .join('events', 'events.id', 'eventId')
    .where({ organizerId: 1, status: 'pending' })
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
  expect(await renotifiesOn(worker)).toEqual([true])

  // The server does not know whether it arrived.
  const { notification, ...rest } = JSON.parse(message) as { notification: object }
  await deliver(JSON.stringify({ ...rest, notification: { ...notification, renotify: false } }))
  await expect.poll(() => renotifiesOn(worker), 'it takes the place of the first, without a sound').toEqual([false])

  await page.goto('/events')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await tap(worker)
  await page.waitForURL(`**/events/manage/${event.id}?application=${applicationId}`)
  await expect(page.locator(`[data-row="${applicationId}"]`)).toContainText('Canary Nightingale')
  expect(await page.evaluate(() => 'sameDocument' in window), 'the open page went there without a reload').toBe(true)
  expect(await shownOn(worker), 'a tapped alert is gone').toEqual([])
  expect((await seen()).opened).toEqual([])
})

test('a tap on the alert opens a window when none is open, and several applications have no buttons @nightly', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const { phone, worker, deliver, endpoint, event } = await openAlertedPhone({ device, server, db, pushService })
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
  const { phone, worker, deliver, event, applicationId, message } = await openNewApplicant({
    device,
    server,
    db,
    pushService,
  })

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
  await expect(row).toContainText('saved on this device')
  expect((await seen()).opened, 'a decision opens nothing').toEqual([])

  await server.start()
  await expect(row).not.toContainText(underWay, { timeout: 60_000 })
  await expect(row).toContainText('Approved')
  expect(await db('applications').where({ id: applicationId }).first('status', 'decisionNumber')).toEqual({
    status: 'approved',
    decisionNumber: 1,
  })
  expect(await db('application_decisions').where({ applicationId })).toHaveLength(1)
  expect(await db('jobs').where('key', 'like', `decision-mail:${applicationId}:%`)).toHaveLength(1)
})

test('Approve on the alert shows at once on a page that is open, though it was the worker that kept it @nightly', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const { worker, deliver, applicationId, message, row } = await openNewApplicant({ device, server, db, pushService })

  await server.kill()
  await deliver(message)
  await tap(worker, 'approved')
  await expect(row).toContainText('Approved', { timeout: 2_000 })
  await expect(row).toContainText('saved on this device')

  await server.start()
  await expect(row).not.toContainText(underWay, { timeout: 60_000 })
  await expect(row).toContainText('Approved')
  expect(await db('application_decisions').where({ applicationId })).toHaveLength(1)
})
