import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { expect, olivia, readyForOffline, signIn } from '../journey.ts'
import { lendPushService, nextMessage, pushReceiver, shownOn, tap, test, watchWorker } from './push-journey.ts'

const bio = 'I know every tram line of this town and most of the people who ride on them.'

/** An upcoming event of Olivia's that takes applications and asks nothing but the default questions. */
async function openEvent(db: Knex): Promise<{ id: number; name: string }> {
  const event = await db('events')
    .where({ organizerId: 1, showDefaultQuestions: true, applicationsClosed: false, applicationsCloseAt: null })
    .andWhere('endDate', '>', db.raw('current_date + 2'))
    .whereRaw("custom_questions = '[]'")
    .orderBy('id')
    .first('id', 'name')
  if (!event) throw new Error('The demo has no event that takes applications')
  return event
}

async function apply(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/${eventId}/apply`)
  await page.getByLabel('First name').fill('Bea')
  await page.getByLabel('Last name').fill('Nightingale')
  await page.getByLabel('Email', { exact: true }).fill('bea.nightingale@example.com')
  await page.getByLabel('First time').check()
  await page.getByLabel('What are your areas of expertise?').fill('Trams.')
  await page.getByLabel('Why do you want to be a Beacon at this event?').fill('Somebody should greet people.')
  await page.getByLabel('How would you describe your networking style?').fill('Slow and kind.')
  await page.getByLabel('A short bio for the event page').pressSequentially(bio, { delay: 45 })
  await page.getByLabel('I agree to the terms').check()
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
}

test('a volunteer has this phone told, and a tap on the news opens the answer', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const event = await openEvent(db)
  const { context, page } = await device()
  const subscription = pushService.subscribe()
  await lendPushService(context, subscription)
  await page.goto(`/events/${event.id}`)
  await readyForOffline(page)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  await apply(page, event.id)
  const toggle = page.getByRole('switch', { name: 'Tell this phone' })
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  await expect(toggle).toBeChecked()
  const application = await db('applications').where({ email: 'bea.nightingale@example.com' }).first('id')
  expect(await db('applicant_phones').select('applicationId', 'endpoint')).toEqual([
    { applicationId: application?.id, endpoint: subscription.endpoint },
  ])

  const organizer = await device()
  await signIn(organizer.page, olivia)
  await organizer.page.goto(`/events/manage/${event.id}`)
  const row = organizer.page.locator(`[data-row="${application?.id}"]`)
  await row.getByRole('button', { name: 'Approve Bea Nightingale', exact: true }).click()
  await expect.poll(async () => await db('jobs').where({ kind: 'decision-push' }), { timeout: 30_000 }).toHaveLength(1)
  // Nobody waits for the minute in which Olivia could change her mind.
  await db('jobs')
    .where({ kind: 'decision-push' })
    .update({ runAt: new Date(0) })
  const message = await nextMessage(pushService, subscription.endpoint)
  expect(message).not.toMatch(/nightingale|bea\b|approved/i)

  await page.goto('/events')
  const deliver = await pushReceiver(context, page, worker, server.origin)
  const seen = await watchWorker(worker)
  await deliver(message)
  expect(await shownOn(worker)).toEqual([
    {
      title: event.name,
      body: 'There is news about your application.',
      tag: `application-${application?.id}`,
      actions: [],
    },
  ])
  await tap(worker)
  await expect(page.getByRole('heading', { name: 'You are a Beacon', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/apply#application=/)
  expect((await seen()).badges, 'a volunteer’s phone counts nothing').toEqual([])

  await page.getByRole('switch', { name: 'Tell this phone' }).click()
  await expect(page.getByRole('switch', { name: 'Tell this phone' })).not.toBeChecked()
  expect(await db('applicant_phones')).toEqual([])
})

test('asking needs a connection, turning off does not, and signing in on that phone asks for no alerts', async ({
  device,
  server,
  db,
  pushService,
}) => {
  const event = await openEvent(db)
  const { context, page } = await device()
  await lendPushService(context, pushService.subscribe())
  await page.goto(`/events/${event.id}`)
  await readyForOffline(page)
  await apply(page, event.id)
  const toggle = page.getByRole('switch', { name: 'Tell this phone' })
  await expect(toggle).toBeEnabled()
  await server.kill()
  await page.reload()
  await expect(page.getByText(/Turning it on needs a connection/)).toBeVisible()
  await toggle.click()
  await expect(page.getByText('This phone cannot be told').first()).toBeVisible()
  await expect(toggle).not.toBeChecked()
  await server.start()
  await toggle.click()
  await expect(toggle).toBeChecked()

  await signIn(page, olivia)
  await expect(page.getByRole('button', { name: 'Turn On Alerts' })).toBeVisible()
  expect(await db('push_subscriptions')).toEqual([])

  await page.goto(`/events/${event.id}/apply`)
  await expect(toggle).toBeChecked()
  await server.kill()
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  expect(await page.evaluate(() => localStorage.getItem('test/subscribed')), 'the browser’s subscription is gone').toBe(
    null,
  )
})
