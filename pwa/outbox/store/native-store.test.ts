import 'fake-indexeddb/auto'
import { liveQuery } from 'dexie'
import { describe, expect, it, vi } from 'vitest'
import type { Entry } from '../entry.ts'
import { openNativeOutbox } from './native-store.ts'
import { createDexieStore, deviceIdentity, openOutboxDatabase } from './outbox-db.ts'
import { add, queuedEntry } from '../testing/queued-entry.ts'

let databases = 0
const freshName = () => `native-store-test-${++databases}`

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

describe("the worker's store", () => {
  it('makes nothing for looking at a queue that does not exist, nor for a lease that guards nothing', async () => {
    const name = freshName()
    const { store } = openNativeOutbox(name)
    const seen = await store.change('all', ({ entries, lease, account }) => ({
      lease: { owner: 'w', at: 1 },
      result: { entries, lease, account },
    }))
    expect(seen).toEqual({ result: { entries: [], lease: undefined, account: undefined }, added: [] })
    expect([await store.entriesOf(1), await store.lease(), await store.receipts()]).toEqual([[], undefined, []])
    expect(await exists(name)).toBe(false)
  })

  it('makes exactly the database that Dexie makes, and Dexie goes on with it', async () => {
    const [byDexie, byWorker] = [freshName(), freshName()]
    const dexie = openOutboxDatabase(byDexie)
    await dexie.open()
    await add(openNativeOutbox(byWorker).store, [queuedEntry('a')])
    expect(await shapeOf(byWorker)).toEqual(await shapeOf(byDexie))
    const complaints = vi.spyOn(console, 'warn')
    const page = createDexieStore(openOutboxDatabase(byWorker))
    await add(page, [queuedEntry('b')])
    expect(keysOf(await page.entriesOf(1))).toEqual(['a', 'b'])
    expect(complaints).not.toHaveBeenCalled()
    complaints.mockRestore()
  })

  it('finds what a page made after it had looked in vain', async () => {
    const name = freshName()
    const { store } = openNativeOutbox(name)
    expect(await store.entriesOf(1)).toEqual([])
    await add(createDexieStore(openOutboxDatabase(name)), [queuedEntry('a')])
    expect(keysOf(await store.entriesOf(1))).toEqual(['a'])
  })

  it('and a page that begin at the same moment end with one queue', async () => {
    const name = freshName()
    const stores = [
      openNativeOutbox(name).store,
      createDexieStore(openOutboxDatabase(name)),
      openNativeOutbox(name).store,
    ]
    await Promise.all(
      stores.flatMap((store, index) => [
        add(store, [queuedEntry(`a${index}`)]),
        add(store, [queuedEntry(`b${index}`)]),
      ]),
    )
    for (const store of stores)
      expect(keysOf(await store.entriesOf(1)).sort()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2'])
  })

  it('is noticed by the live queries of the pages', async () => {
    const name = freshName()
    const page = createDexieStore(openOutboxDatabase(name))
    await add(page, [queuedEntry('a')])
    const shown: string[][] = []
    const following = liveQuery(() => page.entriesOf(1)).subscribe((entries) => shown.push(keysOf(entries)))
    await vi.waitFor(() => expect(shown).toEqual([['a']]))
    const worker = openNativeOutbox(name)
    await add(worker.store, [queuedEntry('b')])
    await vi.waitFor(() => expect(shown.at(-1)).toEqual(['a', 'b']))
    const [first] = await worker.store.entriesOf(1)
    await worker.store.change('all', () => ({ remove: [first!.seq], result: undefined }))
    await vi.waitFor(() => expect(shown.at(-1)).toEqual(['b']))
    following.unsubscribe()
  })

  it('does nothing of a change whose last part is refused', async () => {
    const { store } = openNativeOutbox(freshName())
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

  it('does not stand in the way of a page that deletes the database or changes its shape', async () => {
    const name = freshName()
    const { store } = openNativeOutbox(name)
    await add(store, [queuedEntry('a')])
    const next = openOutboxDatabase(name)
    next.version(2).stores({ more: 'id' })
    await next.open()
    expect(keysOf(await store.entriesOf(1)), 'a later shape is used as it is').toEqual(['a'])
    await next.delete()
    expect(await store.entriesOf(1)).toEqual([])
    await add(store, [queuedEntry('b')])
    expect(keysOf(await store.entriesOf(1))).toEqual(['b'])
  })

  it("knows the device by the page's number, and the page by the worker's", async () => {
    const name = freshName()
    const database = openOutboxDatabase(name)
    const made = await openNativeOutbox(name).device(() => ({ id: 'w', name: 'Phone' }))
    expect(await deviceIdentity(database, () => ({ id: 'p', name: 'Other' }))).toEqual(made)
    const other = freshName()
    await deviceIdentity(openOutboxDatabase(other), () => ({ id: 'p', name: 'Phone' }))
    expect(await openNativeOutbox(other).device(() => ({ id: 'w', name: 'Other' }))).toEqual({ id: 'p', name: 'Phone' })
  })
})
