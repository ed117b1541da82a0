import { sized } from '../../../sync-server/testing/proof-size.ts'
import {
  busiestEvent,
  button,
  card,
  endUndoWindow,
  expectConfirmed,
  expectDecidedOnce,
} from '../applications/applicants.ts'
import { expect, goByLink, olivia, signIn, submitSignIn, test } from '../journey.ts'
import { holdStorage } from './silent-storage.ts'

/** What is promised; a machine that runs other journeys only has to end. */
const patience = { timeout: sized(6_000, 60_000) }

test.use({ timings: {} })

test('storage that does not answer hides no applicants, and keeps what is decided', async ({ device, server, db }) => {
  const { context, page } = await device({ serviceWorkers: 'block' })
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  await signIn(page, olivia)
  const other = await context.newPage()
  await other.goto('/licenses.txt')
  await other.evaluate(holdStorage)

  await page.bringToFront()
  await page.goto(`${server.origin}/events/manage/${eventId}`)
  await expect(card(page, ana)).toContainText('Pending', patience)
  await expect(page.getByText('This device’s storage isn’t responding. You see what the server has')).toBeVisible()
  await expect(page.getByText('All saved')).toHaveCount(0)
  await button(page, ana, 'Approve').click()
  await expect(card(page, ana)).toContainText('Approved')
  await expect(card(page, ana)).toContainText('not saved yet')
  await expect(page.getByRole('link', { name: 'Not saved yet' })).toBeVisible()

  // A reload does not lose it.
  await page.reload()
  await expect(card(page, ana)).toContainText('not saved yet', patience)
  await button(page, ben, 'Reject').click()
  await expect(card(page, ben)).toContainText('not saved yet')

  await other.evaluate(() => void Object.assign(window, { letGo: true }))
  await expect(page.getByText('storage isn’t responding')).toHaveCount(0)
  for (const one of [ana, ben]) await expect(card(page, one)).not.toContainText('not saved yet')
  await endUndoWindow(page)
  await expectDecidedOnce(db, ana, 'approved')
  await expectDecidedOnce(db, ben, 'rejected')
  for (const one of [ana, ben]) await expectConfirmed(page, one)
  await expect(page.getByRole('link', { name: 'All saved' })).toBeVisible()
})

test('a browser that refuses all storage lets an organizer in, and says what is not saved @nightly', async ({
  device,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana] = pending
  const { page } = await device({ serviceWorkers: 'block' })
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The storage is forbidden', 'SecurityError')
    }
  })
  await page.goto('/auth')
  await submitSignIn(page, olivia)
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  await goByLink(page, `/events/manage/${eventId}`)
  await button(page, ana, 'Approve').click()
  await expect(card(page, ana)).toContainText('not saved yet')
  await expect(page.getByText('This device’s storage isn’t responding. You see what the server has')).toBeVisible()
})
