import { createRxDatabase, type RxCollection, type RxDocument, type RxJsonSchema } from 'rxdb'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { collections, type Collection, type Scope } from '#shared/sync/collections.ts'
import { newKey } from '../queue/new-key.ts'
import { deleteReplicas, pagesName, replicaName, type CopyName } from './replica-names.ts'
import type { Arrived } from '../follow/pull.ts'
import { openPages, type Kept, type Written } from './replica-pages.ts'
import type { Documents } from './replica-schema.ts'

interface Document {
  readonly key: string
  readonly version: number
}

/**
 * The documents' other fields are judged by zod when they arrive: a page that shows what is on the disk needs no zod.
 */
const schema: RxJsonSchema<Document> = {
  version: 0,
  type: 'object',
  primaryKey: 'key',
  properties: { key: { type: 'string', maxLength: 20 }, version: { type: 'number' } },
  required: ['key', 'version'],
}

export interface ReplicaDatabase {
  /**
   * Calls back at once and after every change of any tab.
   * @returns ends it, once the first documents were passed on
   */
  watch<C extends Collection>(name: C, onChange: (documents: readonly Documents[C][]) => void): Promise<() => void>
  /**
   * The version is 0 when the scope was never written.
   * @throws when the storage fails
   */
  written(scope: Scope): Promise<Written>
  /** As `ReplicaPages.write`; resolves when the watchers have the changes. @throws when the storage fails */
  write(scope: Scope, documents: readonly Arrived<Documents[Collection]>[], written: Written): Promise<void>
  close(): Promise<void>
}

/**
 * A copy while it is open: RxDB holds it in memory and answers the screens' queries, the pages keep it on the disk.
 * Removes all other copies of this device.
 * @param onLost what is on the disk is damaged or gone: the copy is begun again
 * @throws when the storage fails
 */
export async function openReplicaDatabase(of: CopyName, onLost: () => void = () => {}): Promise<ReplicaDatabase> {
  const name = replicaName(of)
  const opening = openMemory(name)
  let changes: Promise<unknown> = Promise.resolve()
  const pages = await openPages(pagesName(name), {
    onLost,
    // Changes arrive in the order in which the pages changed.
    onChange(one, changed) {
      const applied = changes.then(async () => await apply((await opening)[one], changed))
      changes = applied.catch(() => undefined)
      return applied
    },
  }).catch(async (error: unknown) => {
    await closeMemory(await opening)
    throw error
  })
  const inMemory = await opening
  for (const one of collections) await inMemory[one].bulkInsert(pages.documents(one))
  void deleteReplicas(name).catch(() => undefined)
  return {
    watch: (one, onChange) =>
      new Promise((resolve) => {
        const watching = inMemory[one].find().$.subscribe((found) => {
          onChange(found.map(plain) as never)
          resolve(() => watching.unsubscribe())
        })
      }),
    written: (scope) => pages.written(scope),
    write: (scope, documents, written) => pages.write(scope, documents, written),
    async close() {
      pages.close()
      await closeMemory(inMemory)
    },
  }
}

type Memory = Record<Collection, RxCollection<Document>>

const closeMemory = ({ events }: Memory) => events.database.close()

async function openMemory(name: string): Promise<Memory> {
  const database = await createRxDatabase({
    name: `${name}-${newKey()}`,
    storage: getRxStorageMemory(),
    multiInstance: false,
    // RxDB's own hash needs `crypto.subtle`, which exists only where the address is https or localhost.
    hashFunction: async (input) => JSON.stringify(input),
    eventReduce: true,
  })
  return await database.addCollections({ events: { schema }, applications: { schema }, account: { schema } })
}

async function apply(collection: RxCollection<Document>, changed: readonly Kept[]): Promise<void> {
  // Of a document that is in it twice, the later one is newer.
  const latest = [...new Map(changed.map((kept) => [kept.key, kept])).values()]
  await collection.bulkUpsert(latest.filter(({ _deleted }) => !_deleted))
  await collection.bulkRemove(latest.flatMap(({ key, _deleted }) => (_deleted ? [key] : [])))
  // The watchers' query has told them before it answers.
  await collection.find().exec()
}

const plains = new WeakMap<RxDocument<Document>, Document>()

/** An RxDocument is one revision of a document: what it holds has the same identity each time. */
function plain(document: RxDocument<Document>): Document {
  const known = plains.get(document) ?? (document.toJSON() as Document)
  plains.set(document, known)
  return known
}
