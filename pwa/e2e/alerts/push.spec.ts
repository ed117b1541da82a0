import type { Page } from 'playwright/test'
import { underWay } from '../applications/applicants.ts'
import { openEvent } from '../applications/application-form.ts'
import { expect } from '../journey.ts'
import { applyTo, nextMessage, renotifiesOn, shownOn, tap, test, watchWorker } from './push-journey.ts'

test('an alert of an application has no name and leads to it @nightly', async ({
  page,
  alerted,
  server,
  db,
  pushService,
}) => {
  const { worker, deliver, endpoint } = alerted
  const event = await openEvent(db)
  const [before] = await db('applications')
    .join('events', 'events.id', 'eventId')
    .where({ organizerId: 1, status: 'pending' })
    .count()

  const applicationId = await applyTo(server, event.id)
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
  await page.waitForURL(`**/events/manage/${event.id}?for=1&application=${applicationId}`)
  await expect(page.locator(`[data-row="${applicationId}"]`)).toContainText('Canary Nightingale')
  expect(await page.evaluate(() => 'sameDocument' in window), 'the open page went there without a reload').toBe(true)
  expect(await shownOn(worker), 'a tapped alert is gone').toEqual([])
  expect((await seen()).opened).toEqual([])
})

test('a tap opens a window, several have no buttons @nightly', async ({ page, alerted, server, db, pushService }) => {
  const { worker, deliver, endpoint } = alerted
  const event = await openEvent(db)
  await applyTo(server, event.id)
  await applyTo(server, event.id)
  const message = await nextMessage(pushService, endpoint)

  const seen = await watchWorker(worker)
  await deliver(message)
  await expect
    .poll(() => shownOn(worker))
    .toEqual([{ title: event.name, body: '2 new Beacon applications', tag: `event-${event.id}`, actions: [] }])
  await page.close()
  await tap(worker)
  await expect.poll(async () => (await seen()).opened).toEqual([`/events/manage/${event.id}?for=1`])
})

test('Approve on an alert with a name, offline, arrives once', async ({
  context,
  page: first,
  alerted,
  server,
  db,
  pushService,
}) => {
  const { worker, deliver, endpoint } = alerted
  await first.goto('/profile')
  const names = first.getByRole('switch', { name: 'Show names on this device’s lock screen' })
  await expect(names).not.toBeChecked()
  await names.click()
  await expect(names).toBeChecked()
  const { id: eventId } = await openEvent(db)
  await first.goto(`/events/manage/${eventId}`)
  const applicationId = await applyTo(server, eventId)
  const message = await nextMessage(pushService, endpoint)
  const rowOn = (page: Page) => page.locator(`[data-row="${applicationId}"]`)
  await expect(rowOn(first)).toHaveCount(0)
  await first.getByRole('button', { name: '1 new' }).click()
  await expect(rowOn(first)).toContainText('Pending')

  await server.kill()
  await deliver(message)
  const [shown] = await shownOn(worker)
  expect(shown?.body).toMatch(/^Canary Nightingale applied for /)
  expect(shown?.actions).toEqual(['approved', 'rejected'])
  await first.close()
  const seen = await watchWorker(worker)
  await tap(worker, 'approved')
  await expect.poll(() => shownOn(worker)).toEqual([])

  const page = await context.newPage()
  await page.goto(`/events/manage/${eventId}`)
  const row = rowOn(page)
  await expect(row).toContainText('Approved')
  await expect(row).toContainText('saved on this device')
  expect((await seen()).opened, 'a decision opens nothing').toEqual([])
  await page.goto('/sync')
  await expect(page.getByText('Approve Canary Nightingale')).toBeVisible()
  await page.goBack()

  await server.start()
  await expect(row).not.toContainText(underWay)
  await expect(row).toContainText('Approved')
  expect(await db('applications').where({ id: applicationId }).first('status', 'decisionNumber')).toEqual({
    status: 'approved',
    decisionNumber: 1,
  })
  expect(await db('application_decisions').where({ applicationId })).toHaveLength(1)
  expect(await db('jobs').where('key', 'like', `decision-mail:${applicationId}:%`)).toHaveLength(1)
})
