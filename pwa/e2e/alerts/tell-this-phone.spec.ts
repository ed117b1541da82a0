import { card } from '../applications/applicants.ts'
import { applyAsBea } from '../applications/application-form.ts'
import type { PushService } from '../../../sync-server/testing/push/push-service.ts'
import { expect, olivia, signIn, type Journey } from '../journey.ts'
import { lendPushService, nextMessage, pushReceiver, shownOn, tap, test, watchWorker } from './push-journey.ts'

/** Bea has applied on a phone whose browser can be told; `toggle` is what she turns that on with. */
async function applyOnPhone({
  device,
  db,
  pushService,
}: Pick<Journey, 'device' | 'db'> & { readonly pushService: PushService }) {
  const { context, page } = await device()
  const subscription = pushService.subscribe()
  await lendPushService(context, subscription)
  const applied = await applyAsBea(page, db)
  return { ...applied, context, page, subscription, toggle: page.getByRole('switch', { name: 'Notify me here' }) }
}

test('a volunteer is told, and a tap opens the answer @nightly', async ({ device, server, db, pushService }) => {
  const phone = await applyOnPhone({ device, db, pushService })
  const { eventId, name, applicant, context, page, subscription, toggle } = phone
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  await expect(toggle).toBeChecked()
  expect(await db('applicant_phones').select('applicationId', 'endpoint')).toEqual([
    { applicationId: applicant.id, endpoint: subscription.endpoint },
  ])

  const organizer = await device()
  await signIn(organizer.page, olivia)
  await organizer.page.goto(`/events/manage/${eventId}`)
  await card(organizer.page, applicant).getByRole('button', { name: 'Approve Bea Sandoval', exact: true }).click()
  await expect.poll(async () => await db('jobs').where({ kind: 'decision-push' })).toHaveLength(1)
  // Nobody waits for the minute in which Olivia could change her mind.
  await db('jobs')
    .where({ kind: 'decision-push' })
    .update({ runAt: new Date(0) })
  const message = await nextMessage(pushService, subscription.endpoint)
  expect(message).not.toMatch(/sandoval|bea\b|approved/i)

  await page.goto('/events')
  const deliver = await pushReceiver(context, page, worker, server.origin)
  const seen = await watchWorker(worker)
  await deliver(message)
  expect(await shownOn(worker)).toEqual([
    {
      title: name,
      body: 'There is news about your application.',
      tag: `application-${applicant.id}`,
      actions: [],
    },
  ])
  await tap(worker)
  await expect(page.getByRole('heading', { name: 'You’re a Beacon', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/apply\?own=\d+$/)
  expect((await seen()).badges, 'a volunteer’s phone counts nothing').toEqual([])

  await page.getByRole('switch', { name: 'Notify me here' }).click()
  await expect(page.getByRole('switch', { name: 'Notify me here' })).not.toBeChecked()
  expect(await db('applicant_phones')).toEqual([])
})

test('being told needs a connection, turning it off does not @nightly', async ({ device, server, db, pushService }) => {
  const { eventId, page, toggle } = await applyOnPhone({ device, db, pushService })
  await expect(toggle).toBeEnabled()
  await server.kill()
  await page.reload()
  await expect(page.getByText(/Turning it on needs a connection/)).toBeVisible()
  await toggle.click()
  await expect(page.getByText('Notifications could not be turned on').first()).toBeVisible()
  await expect(toggle).not.toBeChecked()
  await server.start()
  await toggle.click()
  await expect(toggle).toBeChecked()

  await signIn(page, olivia)
  await expect(page.getByRole('button', { name: 'Turn On Alerts' })).toBeVisible()
  expect(await db('push_subscriptions')).toEqual([])

  await page.goto(`/events/${eventId}/apply`)
  await expect(toggle).toBeChecked()
  await server.kill()
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  expect(await page.evaluate(() => localStorage.getItem('test/subscribed')), 'the browser’s subscription is gone').toBe(
    null,
  )
})
