import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import type { RoadProxy } from '../../../sync-server/testing/proxies/road-proxy.ts'
import {
  button,
  decideMany,
  decisionOf,
  endUndoWindow,
  expectDecidedOnce,
  manageBusiest,
  type Applicant,
} from '../applications/applicants.ts'
import { expect, pressSignOut } from '../journey.ts'
import { queueRows } from '../device-database.ts'
import { isBatch, test } from '../queue/road-journey.ts'

const six = 6

/** How often each change of the queue was put into a request, as the disk says. */
async function triesOf(page: Page): Promise<number[]> {
  return (await queueRows(page)).map(({ attempts }) => Number(attempts))
}

const liveSessions = (db: Knex) => db('sessions').where({ userId: 1 }).whereNull('revokedAt')

/** Six decisions of hers were put into a request that is held back on the way. */
async function sixTriedChanges({ phone, road, db }: { phone: Page; road: RoadProxy; db: Knex }) {
  const { pending } = await manageBusiest(phone, db)
  const people = pending.slice(0, six)
  road.treat((call) => (isBatch(call) ? 'hold' : 'pass'))
  await phone.context().setOffline(true)
  const sheet = await decideMany(phone, people, 'Approve')
  await sheet.getByRole('button', { name: `Approve ${six}` }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await phone.context().setOffline(false)
  await endUndoWindow(phone)
  await expect.poll(async () => (await triesOf(phone)).filter((tries) => tries > 0).length).toBe(six)
  return people
}

test('discarding and signing out takes 15 s where all is held back @nightly', async ({ phone: page, road, db }) => {
  const people = await sixTriedChanges({ phone: page, road, db })
  road.treat(({ url }) => (url.startsWith('/api/') ? 'hold' : 'pass'))
  await pressSignOut(page)
  const beganAt = performance.now()
  await page.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByText('You have been successfully logged out.').first()).toBeVisible({ timeout: 90_000 })
  const tookMs = performance.now() - beganAt
  expect(tookMs, 'milliseconds from the press').toBeLessThan(15_000)
  expect(await triesOf(page), 'nothing of the account is left here').toEqual([])
  expect(await liveSessions(db), 'the server could not be told').toHaveLength(1)

  road.treat(() => 'pass')
  await road.letGo((call) => !isBatch(call))
  await page.goto('/events')
  await expect.poll(async () => (await liveSessions(db)).length).toBe(0)
  expect(await road.letGo(isBatch), 'what was held back arrives at last').toBeGreaterThan(0)
  for (const applicant of people)
    expect((await decisionOf(db, applicant))?.status, 'what was discarded never happens').toBe('pending')
})

test('sending before signing out shows progress and gives up @nightly', async ({ phone: page, road, db }) => {
  const people = await sixTriedChanges({ phone: page, road, db })
  const [ana] = people as [Applicant]
  const sendFirst = page.getByRole('button', { name: 'Send now, then sign out' })
  await pressSignOut(page)
  const beganAt = performance.now()
  await sendFirst.click()
  await expect(page.getByRole('progressbar', { name: 'Sent' })).toBeVisible()
  await expect(page.getByText(`0 of ${six}`)).toBeVisible()
  await expect(page.getByText('You are still signed in, and nothing is lost.').first()).toBeVisible({ timeout: 90_000 })
  expect(performance.now() - beganAt, 'milliseconds from the press').toBeLessThan(25_000)

  await sendFirst.click()
  await expect(page.getByRole('progressbar', { name: 'Sent' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  road.treat(() => 'pass')
  await road.letGo(isBatch)
  for (const applicant of people) await expectDecidedOnce(db, applicant, 'approved')
  await expect.poll(() => triesOf(page)).toEqual([])
  await button(page, ana, 'Star').click()
  await expect
    .poll(async () => (await db('applications').where({ id: ana.id }).first('starred'))?.starred, 'still signed in')
    .toBe(true)
  expect(await liveSessions(db)).toHaveLength(1)
})
