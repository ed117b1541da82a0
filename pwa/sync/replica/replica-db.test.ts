import Dexie from 'dexie'
import { createRxDatabase } from 'rxdb'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApplicationDocument, Tombstone } from '#shared/sync/replication-calls.ts'
import { createOutbox } from '../queue/enqueue.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { openOutboxDatabase } from '../queue/store/outbox-db.ts'
import { outboxDatabaseName } from '../queue/store/outbox-store.ts'
import { openReplicaDatabase } from './replica-db.ts'
import { deleteReplicas, pagesName, replicaName } from './replica-names.ts'
import { readCopyAhead } from './copy-ahead.ts'
import { rxSchema } from './replica-schema.ts'

const epoch = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
let userId = 0
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A replica as one tab of a browser opens it; another account is another browser. */
async function openTab(user = ++userId) {
  const onLost = vi.fn()
  const database = await openReplicaDatabase({ userId: user, epoch, generation: 0 }, onLost)
  open.push(() => database.close())
  const told: (readonly ApplicationDocument[])[] = []
  database.watch('applications', (documents) => told.push(documents))
  return { ...database, user, onLost, told, shown: () => told.at(-1)?.toSorted((one, other) => one.id - other.id) }
}

const of = (id: number, version: number, status = 'pending') =>
  ({ key: String(id), version, id, eventId: 12, firstName: 'Bea', status }) as unknown as ApplicationDocument
const gone = (id: number, version: number): Tombstone => ({ key: String(id), version, _deleted: true })
const many = (count: number, from: number) => Array.from({ length: count }, (_, index) => of(index + 1, from + index))

const nameOf = async (user: number) => pagesName(replicaName({ userId: user, epoch, generation: 0 }))
/** The tables of a copy as IndexedDB has them, to look at or to damage. */
async function openTables(user: number) {
  const db = await new Dexie(await nameOf(user)).open()
  open.push(async () => db.close())
  return db
}

describe('what the server said', () => {
  it('is shown as it was pulled, and how far the collection is written is known', async () => {
    const { collections, written, write, shown } = await openTab()
    expect(await written('applications')).toEqual({ version: 0 })
    await write('applications', [of(1, 3), of(2, 5), gone(3, 6)], { version: 7, checkpoint: 'e.7.a1b2' })
    expect(shown()).toEqual([of(1, 3), of(2, 5)])
    expect(await written('applications')).toEqual({ version: 7, checkpoint: 'e.7.a1b2' })
    expect(await (await collections())?.applications.find({ selector: { id: 2 } }).exec()).toHaveLength(1)
  })

  it('is shown before RxDB has taken it in, and what changes meanwhile is applied behind it', async () => {
    const { user, write, close } = await openTab()
    await write('applications', many(1200, 1), { version: 1200 })
    await close()
    const again = await openTab(user)
    expect(again.shown()).toEqual(many(1200, 1))
    const inRxDb = async () => await (await again.collections())?.applications.count().exec()
    expect(await inRxDb()).toBeLessThan(1200)
    await again.write('applications', [of(1, 1201, 'approved'), gone(1200, 1202), of(1201, 1203)], { version: 1203 })
    expect(again.shown()).toEqual([of(1, 1201, 'approved'), ...many(1199, 1).slice(1), of(1201, 1203)])
    expect(await inRxDb()).toBe(1200)
  })

  it('is told once per write, however much of it is new, changed and gone', async () => {
    const { write, told } = await openTab()
    await write('applications', [of(1, 1), of(2, 2)], { version: 2 })
    await write('applications', [of(1, 3, 'approved'), gone(2, 4), of(3, 5)], { version: 5 })
    expect(told.map((documents) => documents.length)).toEqual([0, 2, 2])
  })

  it('and is older than what is there takes nothing back', async () => {
    const { write, written, shown } = await openTab()
    await write('applications', [of(1, 5, 'approved'), gone(2, 6)], { version: 6 })
    await write('applications', [of(1, 3), of(2, 4), of(3, 2)], { version: 4 })
    expect(shown()).toEqual([of(1, 5, 'approved'), of(3, 2)])
    expect(await written('applications')).toEqual({ version: 6 })
  })

  it('about one document writes one page of many', async () => {
    const { user, write } = await openTab()
    await write('applications', many(1000, 1), { version: 1000 })
    const tables = await openTables(user)
    const revisions = async () => (await tables.table('pages').toArray()).map(({ revision }) => revision as number)
    expect((await revisions()).length).toBe(8)
    await write('applications', [of(500, 1001, 'approved')], { version: 1001 })
    expect((await revisions()).filter((revision) => revision === 2)).toHaveLength(1)
  })

  it('about thousands replaces those that are there and adds the others', async () => {
    const { user, write, close } = await openTab()
    await write(
      'applications',
      many(1000, 1).filter(({ id }) => id % 2 === 1),
      { version: 1000 },
    )
    await write('applications', many(1000, 1001), { version: 2000 })
    await close()
    expect((await openTab(user)).shown()).toEqual(many(1000, 1001))
  })
})

it('what changes is shown also where RxDB does not arrive', async () => {
  const lost = () => Promise.reject(new Error('no network'))
  const { watch, write, close } = await openReplicaDatabase({ userId: ++userId, epoch, generation: 0 }, undefined, lost)
  open.push(close)
  let shown: readonly ApplicationDocument[] = []
  watch('applications', (documents) => (shown = documents))
  await write('applications', [of(1, 1), of(2, 2)], { version: 2 })
  await write('applications', [of(1, 3, 'approved'), gone(2, 4)], { version: 4 })
  expect(shown).toEqual([of(1, 3, 'approved')])
})

describe('several tabs', () => {
  it('show what one of them writes', async () => {
    const one = await openTab()
    const other = await openTab(one.user)
    await one.write('applications', [of(1, 1), of(2, 2)], { version: 2 })
    await expect.poll(other.shown).toEqual([of(1, 1), of(2, 2)])
    await one.write('applications', [gone(1, 3)], { version: 3 })
    await expect.poll(other.shown).toEqual([of(2, 2)])
  })

  it('show what one of them has written since the copy was read ahead', async () => {
    const one = await openTab()
    await one.write('applications', [of(1, 1), of(2, 2)], { version: 2 })
    await deleteReplicas(replicaName({ userId: one.user, epoch, generation: 0 }))
    expect(await readCopyAhead()).toBe(true)
    // Databases are opened in order: the copy is being read by then.
    await openTables(one.user)
    await one.write('applications', [of(1, 3, 'approved')], { version: 3 })
    const other = await openTab(one.user)
    expect(other.shown()).toEqual([of(1, 1), of(2, 2)])
    await expect.poll(other.shown).toEqual([of(1, 3, 'approved'), of(2, 2)])
  })

  it('begin a copy anew that was read ahead and then cannot be opened', async () => {
    const one = await openTab()
    await one.write('applications', [of(1, 1)], { version: 1 })
    await deleteReplicas(replicaName({ userId: one.user, epoch, generation: 0 }))
    expect(await readCopyAhead()).toBe(true)
    await openTables(one.user)
    const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('The storage is dead', 'UnknownError')
    })
    const other = await openTab(one.user)
    expect(other.shown()).toEqual([of(1, 1)])
    await expect.poll(() => other.onLost.mock.calls).toHaveLength(1)
    opening.mockRestore()
  })

  it('that write in turns lose nothing of each other, and one that woke up late takes nothing back', async () => {
    const one = await openTab()
    const other = await openTab(one.user)
    await one.write('applications', many(200, 1), { version: 200 })
    await other.write('applications', [of(7, 201, 'approved'), of(300, 202)], { version: 202 })
    await one.write('applications', [of(7, 7), of(8, 203, 'approved')], { version: 203 })
    await Promise.all([
      one.write('applications', [of(9, 204, 'approved')], { version: 204 }),
      other.write('applications', [of(10, 205, 'approved')], { version: 205 }),
    ])
    const approved = () => one.shown()?.flatMap(({ id, status }) => (status === 'approved' ? [id] : []))
    await expect.poll(approved).toEqual([7, 8, 9, 10])
    await expect.poll(other.shown).toEqual(one.shown())
    expect(one.shown()).toHaveLength(201)
    expect(await one.written('applications')).toEqual({ version: 205 })
    await one.close()
    await other.close()
    const again = await openTab(one.user)
    expect(again.onLost).not.toHaveBeenCalled()
    expect(again.shown()).toEqual(other.shown())
  })
})

describe('a copy that is damaged', () => {
  it.each<[string, (tables: Dexie) => Promise<unknown>]>([
    ['whose page is missing', (tables) => tables.table('pages').delete(['applications', 3])],
    [
      'whose page is of an earlier time',
      (tables) => tables.table('pages').update(['applications', 3], { revision: 1 }),
    ],
    [
      'whose page is half written',
      (tables) => tables.table('pages').update(['applications', 3], { documents: [of(500, 2500)] }),
    ],
    ['whose page cannot be read', (tables) => tables.table('pages').update(['applications', 3], { documents: null })],
    ['whose checkpoint is missing', (tables) => tables.table('collections').delete('applications')],
    [
      'whose checkpoint is ahead of its pages',
      (tables) => tables.table('collections').update('applications', { pages: [1, 1, 1, 1, 1, 1, 1, 3] }),
    ],
  ])('%s says so when it is opened, shows nothing and takes nothing', async (_, damage) => {
    const { user, write, close } = await openTab()
    await write('applications', many(1000, 1), { version: 1000 })
    await write('applications', many(1000, 1001), { version: 2000 })
    await close()
    await damage(await openTables(user))
    const again = await openTab(user)
    expect(again.onLost).toHaveBeenCalledOnce()
    expect(again.shown()).toEqual([])
    await expect(again.written('applications')).rejects.toThrow('damaged')
    await expect(again.write('applications', [of(1, 3000)], { version: 3000 })).rejects.toThrow('damaged')
    expect(again.onLost).toHaveBeenCalledOnce()
  })

  it('under a tab says so at its next write', async () => {
    const { user, write, onLost } = await openTab()
    await write('applications', many(10, 1), { version: 10 })
    await write('applications', [of(1, 11)], { version: 11 })
    await (await openTables(user)).table('collections').update('applications', { revision: 1 })
    await expect(write('applications', [of(2, 12)], { version: 12 })).rejects.toThrow('damaged')
    expect(onLost).toHaveBeenCalledOnce()
  })

  it('under a tab that takes over what another one wrote says so', async () => {
    const one = await openTab()
    await one.write('applications', many(100, 1), { version: 100 })
    const other = await openTab(one.user)
    const tables = await openTables(one.user)
    await tables.transaction('rw', tables.table('pages'), tables.table('collections'), async () => {
      // As the other tab would have written a second page and the next revision of the first, of which only one is there.
      const page = { collection: 'applications', page: 1, revision: 2, documents: [of(101, 101)] }
      await tables.table('pages').put(page)
      await tables.table('collections').update('applications', { revision: 2, pages: [2, 2], count: 101, version: 101 })
    })
    await expect(other.write('applications', [of(1, 102)], { version: 102 })).rejects.toThrow('damaged')
    expect(other.onLost).toHaveBeenCalledOnce()
  })

  it('is not made anew by a tab that writes after somebody has signed out in another one', async () => {
    const { write } = await openTab()
    await write('applications', [of(1, 1)], { version: 1 })
    await deleteReplicas()
    const kept = async () => (await indexedDB.databases()).map(({ name }) => name)
    expect(await kept()).not.toContain(await nameOf(userId))
    await expect(write('applications', [of(2, 2)], { version: 2 })).rejects.toThrow('closed')
    expect(await kept()).not.toContain(await nameOf(userId))
  })
})

it('after an update that keeps the documents in another way the copy of before goes, everything is pulled again, and what waits to be sent stays', async () => {
  const user = ++userId
  const old = replicaName({ userId: user, epoch, generation: 0 }, 'aaaaaaaaaa')
  const before = await createRxDatabase({ name: old, storage: getRxStorageDexie(), multiInstance: false })
  const { applications } = await before.addCollections({ applications: { schema: rxSchema('applications') } })
  await applications!.insert(of(7, 3))
  await before.close()
  const waiting = openOutboxDatabase(outboxDatabaseName)
  const outbox = createOutbox({
    store: waiting.store,
    now: Date.now,
    newKey: () => crypto.randomUUID(),
    wake: () => undefined,
    cancel: async () => 'unknown',
  })
  const entry = await outbox.enqueue(deleteEvent, { id: 12, name: 'Founders Mixer', basis: null }, { userId: user })
  const namesKept = async () => (await indexedDB.databases()).map(({ name }) => name ?? '')
  expect((await namesKept()).filter((name) => name.includes(old))).not.toEqual([])

  const { shown, written } = await openTab(user)
  expect(shown()).toEqual([])
  expect(await written('applications'), 'the next pull asks for everything').toEqual({ version: 0 })
  await expect.poll(async () => (await namesKept()).filter((name) => name.includes(old))).toEqual([])
  expect(await namesKept()).toContain(await nameOf(user))
  expect(await outbox.pendingFor(user)).toEqual([entry])
  waiting.close()
})
