import { forceCloseDatabase } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'
import type { Entry } from '../entry.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { outboxVersion } from './outbox-store.ts'
import { add, queuedEntry } from '../../testing/queued-entry.ts'

let databases = 0
const freshName = () => `outbox-db-test-${++databases}`

/** The database as a page of a newer app leaves it, with a table more. */
async function openAsNewerApp(name: string): Promise<void> {
  const request = indexedDB.open(name, outboxVersion + 1)
  await new Promise<void>((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore('more')
    request.onsuccess = () => resolve(request.result.close())
    request.onerror = () => reject(request.error as DOMException)
  })
}

const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key)
const exists = async (name: string) => (await indexedDB.databases()).some((database) => database.name === name)

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
    await expect.poll(() => thrownAway.mock.calls.length).toBeGreaterThan(0)
  },
)

describe("the queue's database", () => {
  it('is not made for looking at a queue that does not exist', async () => {
    const name = freshName()
    const { store, read } = openOutboxDatabase(name)
    const seen = await store.change('all', (found) => ({ result: found }))
    expect(seen).toEqual({ result: { entries: [], account: undefined }, added: [] })
    expect([await store.entriesOf(1), await store.receipts()]).toEqual([[], []])
    expect(await read('entries', (table) => table.count())).toBeUndefined()
    expect(await exists(name)).toBe(false)
  })

  it('is found by who had looked in vain before another made it', async () => {
    const name = freshName()
    const { store } = openOutboxDatabase(name)
    expect(await store.entriesOf(1)).toEqual([])
    await add(openOutboxDatabase(name).store, [queuedEntry('a')])
    expect(keysOf(await store.entriesOf(1))).toEqual(['a'])
  })

  it('is one where pages and a worker begin at the same moment', async () => {
    const name = freshName()
    const stores = [{}, { keepsOpen: false }, {}].map((options) => openOutboxDatabase(name, options).store)
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
    const worker = openOutboxDatabase(name)
    await add(worker.store, [queuedEntry('b')])
    await expect.poll(() => heard.mock.calls).toHaveLength(1)
    await add(page.store, [queuedEntry('c')])
    expect(heard, 'its own writing at once').toHaveBeenCalledTimes(2)
    await worker.store.change([], () => ({ account: 1, result: undefined }))
    await add(worker.store, [queuedEntry('d')])
    await expect.poll(() => heard.mock.calls, { message: 'who is signed in is no news' }).toHaveLength(3)
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
    await openAsNewerApp(name)
    expect(keysOf(await store.entriesOf(1)), 'a later shape is used as it is').toEqual(['a'])
    await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve))
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

  it('of the worker is closed after each use, and open again for the next', async () => {
    const close = vi.spyOn(IDBDatabase.prototype, 'close')
    const name = freshName()
    const page = openOutboxDatabase(name)
    await add(page.store, [queuedEntry('a')])
    expect(close).not.toHaveBeenCalled()
    const worker = openOutboxDatabase(name, { keepsOpen: false })
    await Promise.all([worker.store.entriesOf(1), worker.store.receipts()])
    await expect.poll(() => close.mock.calls).toHaveLength(1)
    expect(keysOf(await worker.store.entriesOf(1))).toEqual(['a'])
    close.mockRestore()
  })
})
