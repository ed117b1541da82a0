import 'fake-indexeddb/auto'
import { createRxDatabase } from 'rxdb'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { describe, expect, it } from 'vitest'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { deleteEvent } from '../../outbox/mutations/delete-event.ts'
import { createOutbox } from '../../outbox/enqueue.ts'
import { openOutboxDatabase } from '../../outbox/store/outbox-db.ts'
import { outboxDatabaseName } from '../../outbox/store/outbox-shape.ts'
import { openReplicaDatabase } from './replica-db.ts'
import { replicaName } from './replica-names.ts'
import { rxSchema, schemaHash } from './replica-schema.ts'
import { readStored } from './replica-storage.ts'
import { readWritten, writePage } from './write-page.ts'

const epoch = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const bea = { key: '7', version: 3, id: 7, eventId: 12, firstName: 'Bea' } as unknown as ApplicationDocument

const nameOf = async (userId: number) => replicaName({ userId, epoch, generation: 0 }, await schemaHash())
const stored = (name: string) => `rxdb-dexie-${name}--0--applications`
const namesKept = async () => (await indexedDB.databases()).map(({ name }) => name ?? '')

/** What IndexedDB itself says a database is made of. */
function layoutOf(name: string): Promise<{ version: number; tables: Record<string, string[]> }> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onerror = () => reject(request.error ?? new Error(`${name} cannot be opened`))
    request.onsuccess = () => {
      const { result } = request
      const tables = [...result.objectStoreNames].map((table) => {
        const store = result.transaction(table).objectStore(table)
        const paths = [store.keyPath, ...[...store.indexNames].map((index) => store.index(index).keyPath)]
        return [table, paths.map(String)] as const
      })
      resolve({ version: result.version, tables: Object.fromEntries(tables) })
      result.close()
    }
  })
}

/** A replica of an app that used RxDB's storage as it comes, with Bea in it. */
async function leaveOldReplica(name: string): Promise<void> {
  const database = await createRxDatabase({ name, storage: getRxStorageDexie(), multiInstance: false })
  const { applications } = await database.addCollections({ applications: { schema: rxSchema('applications') } })
  await writePage(applications!, [bea], { version: 3 })
  await database.close()
}

describe('the database of a collection', () => {
  it('has the documents by key and one index beside it, at the version Dexie makes of the second description', async () => {
    const database = await openReplicaDatabase({ userId: 1, epoch, generation: 0 })
    await database.close()
    const layout = await layoutOf(stored(await nameOf(1)))
    expect(layout.version).toBe(20)
    expect(layout.tables['docs']).toEqual(['key', '_deleted,key'])
    expect(Object.keys(layout.tables).sort()).toEqual(['attachments', 'changes', 'docs'])
  })

  it('has what was written when it is opened again, and still the same layout', async () => {
    const database = await openReplicaDatabase({ userId: 2, epoch, generation: 0 })
    await writePage(database.collections.applications, [bea], { version: 3 })
    await database.close()
    const again = await openReplicaDatabase({ userId: 2, epoch, generation: 0 })
    expect(await readStored(again.collections.applications)).toMatchObject([bea])
    expect(await readWritten(again.collections.applications)).toEqual({ version: 3 })
    await again.close()
    expect((await layoutOf(stored(await nameOf(2)))).tables['docs']).toEqual(['key', '_deleted,key'])
  })

  it("made by RxDB's storage as it comes becomes ours as a whole, with its documents", async () => {
    const name = await nameOf(3)
    await leaveOldReplica(name)
    const before = await layoutOf(stored(name))
    expect(before.version).toBe(10)
    expect(before.tables['docs']?.length).toBeGreaterThan(2)
    const database = await openReplicaDatabase({ userId: 3, epoch, generation: 0 })
    const { applications } = database.collections
    expect(await readStored(applications)).toMatchObject([bea])
    expect(await readWritten(applications)).toEqual({ version: 3 })
    await writePage(applications, [{ ...bea, version: 4, firstName: 'Beatrice' }], { version: 4 })
    expect(await applications.findOne('7').exec()).toMatchObject({ firstName: 'Beatrice' })
    await database.close()
    expect((await layoutOf(stored(name))).tables['docs']).toEqual(['key', '_deleted,key'])
  })
})

describe('after an update that keeps the documents in another way', () => {
  it('the copy of before goes, everything is pulled again, and what waits to be sent stays', async () => {
    const old = replicaName({ userId: 4, epoch, generation: 0 }, 'aaaaaaaaaa')
    await leaveOldReplica(old)
    const waiting = openOutboxDatabase(outboxDatabaseName)
    const outbox = createOutbox({
      store: waiting.store,
      now: Date.now,
      newKey: () => crypto.randomUUID(),
      wake: () => undefined,
      cancel: async () => 'unknown',
    })
    const entry = await outbox.enqueue(deleteEvent, { id: 12, name: 'Founders Mixer' }, { userId: 4 })

    const database = await openReplicaDatabase({ userId: 4, epoch, generation: 0 })
    expect(await readStored(database.collections.applications)).toEqual([])
    expect(await readWritten(database.collections.applications), 'the next pull asks for everything').toEqual({
      version: 0,
    })
    await expect.poll(async () => (await namesKept()).filter((name) => name.includes(old))).toEqual([])
    expect(await namesKept()).toContain(stored(await nameOf(4)))
    expect(await outbox.pendingFor(4)).toEqual([entry])
    await database.close()
    waiting.close()
  })
})
