import { decide, openBusiest } from '../applications/applicants.ts'
import { expect, test } from '../journey.ts'

test('a change discarded in the moment the page is left stays discarded @nightly', async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await db('events').where({ id: eventId }).update({ organizerId: 2 })
  await context.setOffline(false)
  await page.goto('/sync')
  const discard = page.getByRole('button', { name: `Discard: Approve ${ana.name}` })
  await expect(discard).toBeVisible()
  await discard.evaluate((button: HTMLElement) => {
    // A transaction takes its time, as it does on a busy phone: the page is gone before it ends.
    IDBObjectStore.prototype.getAll = () => new Promise(() => undefined) as never
    button.click()
    location.assign('/events')
  })
  await page.waitForURL('**/events')
  await page.goto('/sync')
  await expect(page.getByRole('heading', { name: 'Everything is saved online.' })).toBeVisible()
})
