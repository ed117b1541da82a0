import { card, decide, decisionOf, expectDecidedOnce, openBusiest } from '../applications/applicants.ts'
import { expect, olivia, otto, pressSignOut, signIn, submitSignIn, test } from '../journey.ts'

const patience = { timeout: 30_000 }

test('the sign-in page of a device whose session is over asks who it is: somebody else neither sees nor sends what waits, its owner resumes @nightly', async ({
  device,
  db,
}) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await page.goto('/auth')
  await page.waitForURL('**/dashboard')
  await db('sessions')
    .where({ userId: 1 })
    .update({ expiresAt: new Date(Date.now() - 1000) })
  await page.goto('about:blank')
  await context.setOffline(false)

  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).pathname))
  await page.goto('/auth')
  await expect(page.getByText(`Sign in as ${olivia.email} and what waits on this device is sent.`)).toBeVisible(
    patience,
  )
  expect(new Set(addresses), 'the dashboard was never opened').toEqual(new Set(['/auth']))
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await submitSignIn(page, otto)
  await expect(page.getByRole('heading', { name: 'Welcome, otto' })).toBeVisible(patience)
  await page.goto('/sync')
  await expect(page.getByText('Everything on this phone is on the server.')).toBeVisible(patience)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Done.' })).toBeAttached(patience)
  await page.goto(`/events/manage/${eventId}`)
  await expect(page.getByText('Event Not Found').first()).toBeVisible(patience)
  await expect(card(page, ana)).toHaveCount(0)
  expect(await decisionOf(db, ana)).toEqual({ status: 'pending', decisionNumber: ana.decisionNumber })

  await pressSignOut(page)
  await expect(page.getByText('You have been successfully logged out.').first()).toBeVisible(patience)
  await signIn(page, olivia)
  await expectDecidedOnce(db, ana, 'approved')
})

test('a change discarded in the moment the page is left stays discarded @nightly', async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await db('events').where({ id: eventId }).update({ organizerId: 2 })
  await context.setOffline(false)
  await page.goto('/sync')
  const discard = page.getByRole('button', { name: `Discard: Approve ${ana.name}` })
  await expect(discard).toBeVisible(patience)
  await discard.evaluate((button: HTMLElement) => {
    // A transaction takes its time, as it does on a busy phone: the page is gone before it ends.
    IDBObjectStore.prototype.getAll = () => new Promise(() => undefined) as never
    button.click()
    location.assign('/events')
  })
  await page.waitForURL('**/events')
  await page.goto('/sync')
  await expect(page.getByText('Everything on this phone is on the server.')).toBeVisible(patience)
})
