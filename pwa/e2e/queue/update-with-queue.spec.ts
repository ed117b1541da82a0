import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import type { RoadProxy } from '../../../sync-server/testing/road-proxy.ts'
import { recordedEntries } from '../../sync/testing/recorded-entries.ts'
import {
  type Applicant,
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

/** A recorded entry, told of people and events that this server has. */
interface Recorded {
  readonly seq: number
  readonly userId: number | null
  readonly key: string
  readonly mutation: string
  readonly args: Record<string, unknown>
}

/**
 * What earlier releases wrote about events and applicants, with this server's numbers in the place of theirs and nothing else
 * changed. Left out is what needs more than a row of the queue: an event's number that was given to this very device, a mail
 * that failed, and the page an applicant was sent.
 */
async function toldOf(db: Knex, eventId: number, people: readonly Applicant[]): Promise<Recorded[]> {
  const [deciding, revoked, marked] = people as [Applicant, Applicant, Applicant]
  const { basis } = (await db('events').where({ id: eventId }).first('basis')) as { basis: string | null }
  const decided = await db('applications').where({ eventId }).select('id', 'basis')
  const other = (await db('events').where({ organizerId: 1 }).whereNot({ id: eventId }).first('id')) as { id: number }
  const told = (entry: Recorded): Record<string, unknown> | undefined => {
    const { args } = entry
    switch (entry.mutation) {
      case 'update-event':
        return { ...args, id: eventId, basis }
      case 'customize-event':
        return { ...args, id: eventId }
      case 'delete-event':
        return { ...args, id: other.id }
      case 'decide-application': {
        const { id } = args['from'] === 'approved' ? revoked : deciding
        return { ...args, applicationId: id, eventId, basis: decided.find((one) => one.id === id)?.basis ?? null }
      }
      case 'mark-application':
        return { ...args, applicationId: marked.id, eventId }
      default:
        return undefined
    }
  }
  return recordedEntries.flatMap(({ entry }) => {
    const args = told(entry as Recorded)
    return args ? [{ ...(entry as Recorded), args }] : []
  })
}

/**
 * Makes the queue's database anew in the layout of the first releases (version 1 of Dexie's, without what is kept of settled
 * changes) with these entries in it. Who this device is, and who is signed in, stays.
 */
async function writeAsFirstRelease(page: Page, entries: readonly Recorded[]): Promise<void> {
  await page.evaluate(async (rows) => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'))
      })
    const newer = await ask(indexedDB.open('beaconry-outbox'))
    const meta = await ask<unknown[]>(newer.transaction('meta').objectStore('meta').getAll())
    newer.close()
    await ask(indexedDB.deleteDatabase('beaconry-outbox'))
    const opening = indexedDB.open('beaconry-outbox', 10)
    opening.onupgradeneeded = () => {
      const table = opening.result.createObjectStore('entries', { keyPath: 'seq', autoIncrement: true })
      table.createIndex('key', 'key', { unique: true })
      table.createIndex('owner', 'owner')
      table.createIndex('lane', 'lane')
      table.createIndex('[owner+state]', ['owner', 'state'])
      opening.result.createObjectStore('receipts', { keyPath: 'key' })
      opening.result.createObjectStore('meta', { keyPath: 'name' })
    }
    const first = await ask(opening)
    const writing = first.transaction(['entries', 'meta'], 'readwrite')
    for (const row of rows) writing.objectStore('entries').put({ ...row, owner: row.userId })
    for (const row of meta) writing.objectStore('meta').put(row)
    await new Promise((resolve, reject) => {
      writing.oncomplete = resolve
      writing.onabort = () => reject(writing.error ?? new Error('The queue was not written'))
    })
    first.close()
  }, entries)
}

test('what earlier releases left in their queue is opened by a new version and sent once @nightly', async ({
  phone,
  road,
  db,
}) => {
  const { eventId, pending, approved } = await manageBusiest(phone, db)
  const [ana] = pending
  const [ben, cleo] = approved
  const entries = await toldOf(db, eventId, [ana, ben, cleo])
  expect(entries.map(({ mutation }) => mutation)).toEqual(expect.arrayContaining(['update-event', 'mark-application']))
  const at = performance.now()
  await phone.goto(`${road.origin}/robots.txt`)
  await writeAsFirstRelease(phone, entries)
  await phone.goto(`${road.origin}/events/manage/${eventId}`)
  await expect.poll(async () => (await queueRows(phone)).length, { timeout: 60_000 }).toBe(0)

  expect(keysSent(road, at).toSorted(), 'each in one request').toEqual(entries.map(({ key }) => key).toSorted())
  const statusOf = async ({ id }: Applicant) => (await db('applications').where({ id }).first('status', 'note')) ?? {}
  expect(await statusOf(ana)).toMatchObject({ status: 'rejected' })
  expect(await statusOf(ben)).toMatchObject({ status: 'rejected' })
  expect(await statusOf(cleo)).toMatchObject({ note: 'Met in Berlin' })
  expect(await db('events').where({ id: eventId }).first('name')).toEqual({ name: 'Founders Mixer II' })
  report('entries of earlier releases, batches', since(road, at, isBatch).length, 4)
})
