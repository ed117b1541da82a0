import { describe, expect, it } from 'vitest'
import { openOutboxDatabase } from './outbox-db.ts'
import type { OutboxStore } from './outbox-store.ts'
import { createDisk, createMemoryStore } from '../../testing/memory-store.ts'
import { add, queuedEntry } from '../../testing/queued-entry.ts'

let databases = 0
const freshName = () => `outbox-store-test-${++databases}`

/** The page and the worker at work on one database, turn by turn. */
function interleaved(first: 'page' | 'worker'): OutboxStore {
  const name = freshName()
  const turns = [openOutboxDatabase(name).store, openOutboxDatabase(name).store]
  if (first === 'worker') turns.reverse()
  let turn = 0
  const next = () => turns[turn++ % 2]!
  return {
    change: (lanes, decide) => next().change(lanes, decide),
    entriesOf: (userId) => next().entriesOf(userId),
    receipts: () => next().receipts(),
    settled: (userId) => next().settled(userId),
  }
}

const stores: [string, () => OutboxStore][] = [
  ['in IndexedDB', () => openOutboxDatabase(freshName()).store],
  ['shared by a page and its worker', () => interleaved('page')],
  ['shared by a worker and its page', () => interleaved('worker')],
  ['in memory', () => createMemoryStore(createDisk())],
]

describe.each(stores)('the store %s', (_, create) => {
  it('gives each entry a place behind all before it, also behind those that are gone', async () => {
    const store = create()
    const { added } = await add(store, [queuedEntry('a'), queuedEntry('b')])
    await store.change('all', () => ({ remove: added.map(({ seq }) => seq), result: undefined }))
    const later = await add(store, [queuedEntry('c')])
    expect(added.map(({ seq }) => seq)).toEqual([1, 2])
    expect(later.added[0]?.seq).toBe(3)
    expect(await store.entriesOf(1)).toEqual(later.added)
  })

  it('shows a change the entries of the lanes it asks for, by seq', async () => {
    const store = create()
    await add(store, [
      queuedEntry('a', { lane: 'event:2' }),
      queuedEntry('b', { lane: 'event:1' }),
      queuedEntry('c'),
      queuedEntry('d', { lane: 'event:2', userId: 2 }),
    ])
    const keys = async (lanes: 'all' | string[]) =>
      (await store.change(lanes, ({ entries }) => ({ result: entries.map(({ key }) => key) }))).result
    expect(await keys('all')).toEqual(['a', 'b', 'c', 'd'])
    expect(await keys(['event:1', 'event:2'])).toEqual(['a', 'b', 'd'])
    expect(await keys([])).toEqual([])
  })

  it("keeps accounts and the visitor apart, and a visitor's null stays null", async () => {
    const store = create()
    await add(store, [queuedEntry('a'), queuedEntry('b', { userId: 2 }), queuedEntry('c', { userId: null })])
    expect((await store.entriesOf(2)).map(({ key }) => key)).toEqual(['b'])
    expect((await store.entriesOf(null)).map(({ key, userId }) => [key, userId])).toEqual([['c', null]])
  })

  it('does everything in a change or nothing', async () => {
    const store = create()
    const { added } = await add(store, [queuedEntry('a')])
    const failing = store.change('all', () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const receipt = {
      seq: 1,
      key: 'a',
      mutation: 'm',
      args: {},
      argsVersion: 1,
      answer: { id: 1 },
      at: '2026-11-20T10:00:00.000Z',
    }
    await store.change('all', () => ({
      remove: [added[0]!.seq],
      receipts: [receipt],
      account: 1,
      result: undefined,
    }))
    expect(await store.entriesOf(1)).toEqual([])
    expect(await store.receipts()).toEqual([receipt])
    const seen = await store.change([], ({ account }) => ({ result: account }))
    expect(seen.result).toBe(1)
  })

  it('remembers that nobody is signed in apart from never having been told', async () => {
    const store = create()
    const account = async () => (await store.change([], (seen) => ({ result: seen.account }))).result
    expect(await account()).toBeUndefined()
    await store.change([], () => ({ account: null, result: undefined }))
    expect(await account()).toBeNull()
  })
})
