import type { Page } from 'playwright/test'
import type { RoadProxy } from '../../../sync-server/testing/road-proxy.ts'
import {
  card,
  decide,
  endUndoWindow,
  expectConfirmed,
  expectDecidedOnce,
  openManage,
  manageBusiest,
} from '../applications/applicants.ts'
import { fetchUpdate, test, versionOf } from './deployment.ts'
import { queueRows } from '../device-database.ts'
import { expect } from '../journey.ts'
import { isBatch, report, since } from './road-journey.ts'

/** The keys of the changes that set out since a moment, with those that set out again. */
const keysSent = (road: RoadProxy, at: number) =>
  since(road, at, isBatch).flatMap(({ body }) =>
    (JSON.parse(body) as { entries: { key: string }[] }).entries.map(({ key }) => key),
  )

/** Accepts the new version, which reloads the page, and waits for it. */
async function acceptUpdate(page: Page): Promise<void> {
  // Offered when a person goes from one screen to another, never in the middle of one.
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  // The browser puts the new worker in charge once the old one has ended what it is sending.
  await expect.poll(() => versionOf(page).catch(() => 'moving'), { timeout: 30_000 }).toBe('2')
}

test('an update in the middle of a queue loses nothing and does nothing twice @nightly', async ({
  phone,
  road,
  deployment,
  db,
}) => {
  const { eventId, pending } = await manageBusiest(phone, db)
  const [ana, ben, cleo] = pending
  // Ana's approval is done and its answer lost, Ben's never gets through, and Cleo's may still be undone.
  road.treat((call) => (isBatch(call) ? 'drop-answer' : 'pass'))
  await decide(phone, ana, 'Approve')
  await endUndoWindow(phone)
  await expectDecidedOnce(db, ana, 'approved')
  road.treat((call) => (isBatch(call) ? 'reset' : 'pass'))
  await decide(phone, ben, 'Reject')
  await endUndoWindow(phone)
  const at = performance.now()
  const attemptsOf = async () => (await queueRows(phone)).map(({ attempts }) => Number(attempts) > 0)
  await expect.poll(attemptsOf, { timeout: 60_000 }).toEqual([true, true])
  deployment.deploy()
  await fetchUpdate(phone)
  await decide(phone, cleo, 'Approve')
  report('before an update, batches that were cut', since(road, at, isBatch).length, 20)

  const updatedAt = performance.now()
  await acceptUpdate(phone)
  await openManage(phone, eventId, ana)
  await expect(card(phone, ana)).toContainText('Approved')
  await expect(card(phone, ben)).toContainText('Rejected')
  await expect(card(phone, cleo)).toContainText('Approved')
  expect(await queueRows(phone), 'the new version has the whole queue').toHaveLength(3)
  report('while it is updated, batches that were cut', since(road, updatedAt, isBatch).length, 20)
  const freeAt = performance.now()
  road.treat(() => 'pass')
  await endUndoWindow(phone)
  await expectDecidedOnce(db, ben, 'rejected')
  await expectDecidedOnce(db, cleo, 'approved')
  await expectDecidedOnce(db, ana, 'approved')
  await expect.poll(async () => (await queueRows(phone)).length, { timeout: 60_000 }).toBe(0)
  await expectConfirmed(phone, cleo)
  expect(new Set(keysSent(road, 0)).size, 'each under one key, however often').toBe(3)
  report('an update with three changes in the queue, batches', since(road, freeAt, isBatch).length, 6)
  report('an update with three changes in the queue, calls until all is equal', since(road, freeAt).length, 30)
})
