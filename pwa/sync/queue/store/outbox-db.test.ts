import { forceCloseDatabase } from 'fake-indexeddb'
import { Dexie } from 'dexie'
import { describe, expect, it, vi } from 'vitest'
import type { Entry } from '../entry.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { outboxTables, outboxVersion } from './outbox-store.ts'
import { add, queuedEntry } from '../../testing/queued-entry.ts'

let databases = 0
const freshName = () => `outbox-db-test-${++databases}`

/** The database as a page of the version before has it open. */
function byDexie(
  name: string,
  { version = outboxVersion, tables = outboxTables as Record<string, string> } = {},
): Dexie {
  const dexie = new Dexie(name)
  dexie.version(version).stores(tables)
  return dexie
}

const forWorker = { upgrades: false }

const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key)
const exists = async (name: string) => (await indexedDB.databases()).some((database) => database.name === name)

/** Everything that makes the shape of a database. */
async function shapeOf(name: string): Promise<unknown> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error as DOMException)
  })
  const tables = [...database.objectStoreNames].map((table) => {
    const { keyPath, autoIncrement, indexNames } = database.transaction(table).objectStore(table)
    const indexes = [...indexNames].map((index) => {
      const made = database.transaction(table).objectStore(table).index(index)
      return { index, keyPath: made.keyPath, unique: made.unique, multiEntry: made.multiEntry }
    })
    return { table, keyPath, autoIncrement, indexes }
  })
  const shape = { version: database.version, tables }
  database.close()
  return shape
}

it.each(['deleted by another page', 'closed by the browser'])(
  'a page says at once that its queue was %s',
  async (how) => {
    const name = freshName()
    const opening = vi.spyOn(indexedDB, 'open')
    const { store, onWritten } = openOutboxDatabase(name)
    await add(store, [queuedEntry('a')])
    const thrownAway = vi.fn<() => void>()
    onWritten(thrownAway)
    if (how === 'deleted by another page') indexedDB.deleteDatabase(name)
    else
      for (const { value } of opening.mock.results)
        if ((value as IDBOpenDBRequest).error === null) forceCloseDatabase((value as IDBOpenDBRequest).result as never)
    await vi.waitFor(() => expect(thrownAway).toHaveBeenCalled(), { timeout: 30_000 })
  },
)

describe("the queue's database", () => {
  it('is not made for looking at a queue that does not exist, nor for a lease that guards nothing', async () => {
    const name = freshName()
    const { store, read } = openOutboxDatabase(name)
    const seen = await store.change('all', ({ entries, lease, account }) => ({
      lease: { owner: 'w', at: 1 },
      result: { entries, lease, account },
    }))
    expect(seen).toEqual({ result: { entries: [], lease: undefined, account: undefined }, added: [] })
    expect([await store.entriesOf(1), await store.lease(), await store.receipts()]).toEqual([[], undefined, []])
    expect(await read('entries', (table) => table.count())).toBeUndefined()
    expect(await exists(name)).toBe(false)
  })

  it('has exactly the shape that pages of the version before gave it, and either goes on with it', async () => {
    const [theirs, ours] = [freshName(), freshName()]
    await byDexie(theirs).open()
    const { store } = openOutboxDatabase(ours)
    await add(store, [queuedEntry('a')])
    expect(await shapeOf(ours)).toEqual(await shapeOf(theirs))
    const complaints = vi.spyOn(console, 'warn')
    const old = byDexie(ours)
    await old.table('entries').add({ ...queuedEntry('b'), owner: 1 })
    expect(keysOf(await store.entriesOf(1))).toEqual(['a', 'b'])
    expect(complaints).not.toHaveBeenCalled()
    complaints.mockRestore()
  })

  it('of the first version gets the table it lacks from a page, and stays as it is for the worker', async () => {
    const name = freshName()
    const { settled: _, ...first } = outboxTables
    const old = byDexie(name, { version: 1, tables: first })
    await old.table('entries').add({ ...queuedEntry('a'), owner: 1 })
    const kept = { ...queuedEntry('s'), userId: 1, seq: 9, settledAt: 5 }
    const keep = { settled: [kept], result: undefined }
    const worker = openOutboxDatabase(name, forWorker)
    expect(keysOf(await worker.store.entriesOf(1))).toEqual(['a'])
    await worker.store.change([], () => keep)
    expect(await worker.store.settled(1)).toEqual([])
    expect(await shapeOf(name)).toMatchObject({ version: 10 })
    const page = openOutboxDatabase(name)
    expect(keysOf(await page.store.entriesOf(1))).toEqual(['a'])
    await page.store.change([], () => keep)
    expect(await page.store.settled(1)).toEqual([kept])
    expect(await worker.store.settled(1), 'the worker goes on with what the page made of it').toEqual([kept])
    expect(await shapeOf(name)).toMatchObject({ version: 20 })
  })

  it('is found by who had looked in vain before another made it', async () => {
    const name = freshName()
    const { store } = openOutboxDatabase(name, forWorker)
    expect(await store.entriesOf(1)).toEqual([])
    await add(openOutboxDatabase(name).store, [queuedEntry('a')])
    expect(keysOf(await store.entriesOf(1))).toEqual(['a'])
  })

  it('is one where pages and a worker begin at the same moment', async () => {
    const name = freshName()
    const stores = [undefined, forWorker, undefined].map((options) => openOutboxDatabase(name, options).store)
    await Promise.all(
      stores.flatMap((store, index) => [
        add(store, [queuedEntry(`a${index}`)]),
        add(store, [queuedEntry(`b${index}`)]),
      ]),
    )
    for (const store of stores)
      expect(keysOf(await store.entriesOf(1)).sort()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2'])
  })

  it('tells who listens what others write', async () => {
    const name = freshName()
    const page = openOutboxDatabase(name)
    await add(page.store, [queuedEntry('a')])
    const heard = vi.fn()
    const ignore = page.onWritten(heard)
    const worker = openOutboxDatabase(name, forWorker)
    await add(worker.store, [queuedEntry('b')])
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    await add(page.store, [queuedEntry('c')])
    expect(heard, 'its own writing at once').toHaveBeenCalledTimes(2)
    await worker.store.change([], () => ({ lease: { owner: 'w', at: 1 }, result: undefined }))
    await add(worker.store, [queuedEntry('d')])
    await vi.waitFor(() => expect(heard, 'a lease is no news').toHaveBeenCalledTimes(3))
    ignore()
    const before = heard.mock.calls.length
    await add(page.store, [queuedEntry('f')])
    expect(heard).toHaveBeenCalledTimes(before)
  })

  it('does nothing of a change whose last part is refused', async () => {
    const { store } = openOutboxDatabase(freshName())
    await add(store, [queuedEntry('a')])
    const twin = store.change('all', ({ entries }) => ({
      put: entries.map((known) => ({ ...known, attempts: 9 })),
      add: [queuedEntry('b'), queuedEntry('a')],
      account: 1,
      result: undefined,
    }))
    await expect(twin).rejects.toMatchObject({ name: 'ConstraintError' })
    expect((await store.entriesOf(1)).map(({ key, attempts }) => [key, attempts])).toEqual([['a', 0]])
    expect((await store.change([], ({ account }) => ({ result: account }))).result).toBeUndefined()
  })

  it('does not stand in the way of a page that deletes it or changes its shape', async () => {
    const name = freshName()
    const { store } = openOutboxDatabase(name)
    await add(store, [queuedEntry('a')])
    const next = byDexie(name, { version: outboxVersion + 1, tables: { ...outboxTables, more: 'id' } })
    await next.open()
    expect(keysOf(await store.entriesOf(1)), 'a later shape is used as it is').toEqual(['a'])
    await next.delete()
    expect(await store.entriesOf(1)).toEqual([])
    await add(store, [queuedEntry('b')])
    expect(keysOf(await store.entriesOf(1))).toEqual(['b'])
  })

  it('is opened again when its connection died in the background', async () => {
    const { store } = openOutboxDatabase(freshName())
    await add(store, [queuedEntry('a')])
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError')
    })
    expect(keysOf(await store.entriesOf(1))).toEqual(['a'])
    expect(begin.mock.calls.length).toBeGreaterThan(1)
    begin.mockRestore()
  })
})
