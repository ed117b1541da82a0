import { expect, it } from 'vitest'
import {
  beginAnew,
  countEntries,
  forgetAccount,
  forgetSettled,
  holdsNothing,
  renameDevice,
  storageWasCleared,
  takeReceipts,
} from './device-rows.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { add, queuedEntry } from '../../testing/queued-entry.ts'

let databases = 0
const freshName = () => `device-rows-test-${++databases}`
const receipt = (key: string) => ({ key, mutation: 'm', args: {}, answer: { id: 1 }, at: '2026-11-20T10:00:00.000Z' })
const settled = (userId: number, seq: number) => ({ ...queuedEntry(`s${seq}`), userId, seq, settledAt: 1 })

it('what was emptied since the last start is noticed once', async () => {
  const name = freshName()
  const database = openOutboxDatabase(name)
  expect(await storageWasCleared(database, false)).toBe(false)
  expect(await storageWasCleared(database, true)).toBe(false)
  database.close()
  await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve))
  const again = openOutboxDatabase(name)
  expect(await storageWasCleared(again, true)).toBe(true)
  expect(await storageWasCleared(again, true)).toBe(false)
})

it('the device has one number for ever, in the worker and in a page, and a name that can change', async () => {
  const name = freshName()
  const first = await openOutboxDatabase(name, { upgrades: false }).device(() => ({ id: 'x', name: 'Phone' }))
  expect(first).toEqual({ id: 'x', name: 'Phone' })
  const page = openOutboxDatabase(name)
  await renameDevice(page, 'Door phone')
  expect(await page.device(() => ({ id: 'y', name: 'Other' }))).toEqual({ id: 'x', name: 'Door phone' })
})

it('an account leaves what is others’ where it is', async () => {
  const database = openOutboxDatabase(freshName())
  const { store } = database
  expect([await countEntries(database), await holdsNothing(database)]).toEqual([0, true])
  await add(store, [queuedEntry('a'), queuedEntry('b', { userId: 2 }), queuedEntry('c', { userId: null })])
  await store.change([], () => ({ settled: [settled(1, 7), settled(2, 8)], result: undefined }))
  await forgetAccount(database, 1)
  await forgetSettled(database, 1)
  expect(await store.entriesOf(1)).toEqual([])
  expect((await store.entriesOf(2)).map(({ key }) => key)).toEqual(['b'])
  expect((await store.entriesOf(null)).map(({ key }) => key)).toEqual(['c'])
  expect([await store.settled(1), (await store.settled(2)).length]).toEqual([[], 1])
  expect([await countEntries(database), await holdsNothing(database)]).toEqual([2, false])
})

it('receipts that are meant are taken out, and told', async () => {
  const database = openOutboxDatabase(freshName())
  await database.store.change([], () => ({ receipts: [receipt('a'), receipt('b')], result: undefined }))
  expect(await takeReceipts(database, ({ key }) => key === 'a')).toEqual([receipt('a')])
  expect(await database.store.receipts()).toEqual([receipt('b')])
  expect(await holdsNothing(database)).toBe(false)
})

it('a device whose storage was emptied goes on under its number, with nobody signed in', async () => {
  const database = openOutboxDatabase(freshName())
  await beginAnew(database, { id: 'x', name: 'Phone' })
  expect(await database.device(() => ({ id: 'y', name: 'Other' }))).toEqual({ id: 'x', name: 'Phone' })
  expect(await storageWasCleared(database, true)).toBe(false)
  expect((await database.store.change([], ({ account }) => ({ result: account }))).result).toBeNull()
})
