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
import type { Written } from './replica-pages.ts'

const copy = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
let userId = 0
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A replica as one tab of a browser opens it; another account is another browser. */
async function openTab(user = ++userId) {
  const onLost = vi.fn()
  const database = await openReplicaDatabase({ userId: user, copy }, onLost)
  open.push(() => database.close())
  const told: (readonly ApplicationDocument[])[] = []
  await database.watch('applications', (documents) => told.push(documents))
  const write = (documents: readonly (ApplicationDocument | Tombstone)[], written: Written) =>
    database.write(
      'org',
      documents.map((document) => ({ collection: 'applications', document })),
      written,
    )
  return {
    ...database,
    write,
    user,
    onLost,
    told,
    shown: () => told.at(-1)?.toSorted((one, other) => one.id - other.id),
  }
}

const of = (id: number, version: number, status = 'pending') =>
  ({ key: String(id), version, id, eventId: 12, firstName: 'Bea', status }) as unknown as ApplicationDocument
const gone = (id: number, version: number): Tombstone => ({ key: String(id), version, _deleted: true })
const many = (count: number, from: number) => Array.from({ length: count }, (_, index) => of(index + 1, from + index))

const nameOf = async (user: number) => pagesName(replicaName({ userId: user, copy }))
/** The tables of a copy as IndexedDB has them, to look at or to damage. */
async function openTables(user: number) {
  const db = await new Dexie(await nameOf(user)).open()
  open.push(async () => db.close())
  return db
}

describe('what the server said', () => {
  it('is shown as it was pulled, and how far the collection is written is known', async () => {
    const { user, written, write, shown } = await openTab()
    expect(await written('org')).toEqual({ version: 0 })
    await write([of(1, 3), of(2, 5), gone(3, 6)], { version: 7, checkpoint: 'e.7.a1b2' })
    expect(shown()).toEqual([of(1, 3), of(2, 5)])
    expect(await written('org')).toEqual({ version: 7, checkpoint: 'e.7.a1b2' })
    expect((await openTab(user)).shown(), 'from the disk').toEqual([of(1, 3), of(2, 5)])
  })

  it('and is older than what is there takes nothing back', async () => {
    const { write, written, shown } = await openTab()
    await write([of(1, 5, 'approved'), gone(2, 6)], { version: 6 })
    await write([of(1, 3), of(2, 4), of(3, 2)], { version: 4 })
    expect(shown()).toEqual([of(1, 5, 'approved'), of(3, 2)])
    expect(await written('org')).toEqual({ version: 6 })
  })

  it('about one document writes one page of many', async () => {
    const { user, write } = await openTab()
    await write(many(1000, 1), { version: 1000 })
    const tables = await openTables(user)
    const revisions = async () => (await tables.table('pages').toArray()).map(({ revision }) => revision as number)
    expect((await revisions()).length).toBe(8)
    await write([of(500, 1001, 'approved')], { version: 1001 })
    expect((await revisions()).filter((revision) => revision === 2)).toHaveLength(1)
  })

  it('about thousands replaces those that are there and adds the others', async () => {
    const { user, write, close } = await openTab()
    await write(
      many(1000, 1).filter(({ id }) => id % 2 === 1),
      { version: 1000 },
    )
    await write(many(1000, 1001), { version: 2000 })
    await close()
    expect((await openTab(user)).shown()).toEqual(many(1000, 1001))
  })
})

it('a copy opens also where the address is neither https nor localhost', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const { write, shown } = await openTab()
  await write([of(1, 1)], { version: 1 })
  expect(shown()).toEqual([of(1, 1)])
  vi.unstubAllGlobals()
})

describe('several tabs', () => {
  it('that write in turns lose nothing, and one that woke up late takes nothing back', async () => {
    const one = await openTab()
    const other = await openTab(one.user)
    await one.write(many(200, 1), { version: 200 })
    await other.write([of(7, 201, 'approved'), of(300, 202)], { version: 202 })
    await one.write([of(7, 7), of(8, 203, 'approved'), gone(11, 203)], { version: 203 })
    await Promise.all([
      one.write([of(9, 204, 'approved')], { version: 204 }),
      other.write([of(10, 205, 'approved')], { version: 205 }),
    ])
    const approved = () => one.shown()?.flatMap(({ id, status }) => (status === 'approved' ? [id] : []))
    await expect.poll(approved).toEqual([7, 8, 9, 10])
    await expect.poll(other.shown).toEqual(one.shown())
    expect(one.shown()).toHaveLength(200)
    expect(await one.written('org')).toEqual({ version: 205 })
    await one.close()
    await other.close()
    const again = await openTab(one.user)
    expect(again.onLost).not.toHaveBeenCalled()
    expect(again.shown()).toEqual(other.shown())
  })
})

describe('a copy that is damaged', () => {
  it('under a tab says so at its next write', async () => {
    const { user, write, onLost } = await openTab()
    await write(many(10, 1), { version: 10 })
    await write([of(1, 11)], { version: 11 })
    await (await openTables(user)).table('collections').update('applications', { revision: 1 })
    await expect(write([of(2, 12)], { version: 12 })).rejects.toThrow('damaged')
    expect(onLost).toHaveBeenCalledOnce()
  })

  it('is not made anew by a tab that writes after somebody has signed out in another one', async () => {
    const { write } = await openTab()
    await write([of(1, 1)], { version: 1 })
    await deleteReplicas()
    const kept = async () => (await indexedDB.databases()).map(({ name }) => name)
    expect(await kept()).not.toContain(await nameOf(userId))
    await expect(write([of(2, 2)], { version: 2 })).rejects.toThrow('closed')
    expect(await kept()).not.toContain(await nameOf(userId))
  })
})

it('an update that keeps documents in another way pulls everything again and keeps what waits', async () => {
  const user = ++userId
  const old = replicaName({ userId: user, copy }, 'aaaaaaaaaa')
  const before = await createRxDatabase({ name: old, storage: getRxStorageDexie(), multiInstance: false })
  const schema = {
    version: 0,
    type: 'object',
    primaryKey: 'key',
    properties: { key: { type: 'string', maxLength: 20 } },
  }
  await before.addCollections({ applications: { schema } })
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
  expect(await written('org'), 'the next pull asks for everything').toEqual({ version: 0 })
  await expect.poll(async () => (await namesKept()).filter((name) => name.includes(old))).toEqual([])
  expect(await namesKept()).toContain(await nameOf(user))
  expect(await outbox.pendingFor(user)).toEqual([entry])
  waiting.close()
})
