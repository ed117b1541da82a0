import { expect, it } from 'vitest'
import {
  countEntries,
  forgetEntries,
  forgetSettled,
  isFirstStart,
  renameDevice,
  removeReceipts,
} from './device-rows.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { maxRemovedAtOnce } from './outbox-store.ts'
import { add, queuedEntry } from '../../testing/queued-entry.ts'

let databases = 0
const freshName = () => `device-rows-test-${++databases}`
const receipt = (key: string) => ({
  seq: 1,
  argsVersion: 1,
  key,
  mutation: 'm',
  args: {},
  answer: { id: 1 },
  at: '2026-11-20T10:00:00.000Z',
})
const settled = (userId: number, seq: number) => ({ ...queuedEntry(`s${seq}`), userId, seq, settledAt: 1 })

it('a start finds out whether there was one before it', async () => {
  const database = openOutboxDatabase(freshName())
  expect([await isFirstStart(database), await isFirstStart(database)]).toEqual([true, false])
})

it('the device has one number for ever, in worker and page, and a name that can change', async () => {
  const name = freshName()
  const first = await openOutboxDatabase(name).device(() => ({ id: 'x', name: 'Phone' }))
  expect(first).toEqual({ id: 'x', name: 'Phone' })
  const page = openOutboxDatabase(name)
  await renameDevice(page, 'Door phone')
  expect(await page.device(() => ({ id: 'y', name: 'Other' }))).toEqual({ id: 'x', name: 'Door phone' })
})

it('an account leaves what is others’ and what was not named where it is', async () => {
  const database = openOutboxDatabase(freshName())
  const { store } = database
  const later = queuedEntry('later')
  await add(store, [queuedEntry('a'), queuedEntry('b', { userId: 2 }), queuedEntry('c', { userId: null }), later])
  const many = Array.from({ length: maxRemovedAtOnce + 1 }, (_, seq) => settled(1, 100 + seq))
  await store.change([], () => ({ settled: [...many, settled(2, 8)], result: undefined }))
  await forgetEntries(database, ['a', 'unknown'])
  await forgetSettled(database, 1)
  expect((await store.entriesOf(1)).map(({ key }) => key)).toEqual(['later'])
  expect((await store.entriesOf(2)).map(({ key }) => key)).toEqual(['b'])
  expect((await store.entriesOf(null)).map(({ key }) => key)).toEqual(['c'])
  expect([await store.settled(1), (await store.settled(2)).length]).toEqual([[], 1])
  expect(await countEntries(database)).toBe(3)
})

it('removes the receipts that are meant, and no others', async () => {
  const database = openOutboxDatabase(freshName())
  await database.store.change([], () => ({ receipts: [receipt('a'), receipt('b')], result: undefined }))
  await removeReceipts(database, ({ key }) => key === 'a')
  expect(await database.store.receipts()).toEqual([receipt('b')])
})
