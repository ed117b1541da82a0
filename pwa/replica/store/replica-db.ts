import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb'
import { collections, type Collection } from '#shared/sync/replication-calls.ts'
import { deleteReplicas, replicaName, type CopyName } from './replica-names.ts'
import { rxSchema, schemaHash, type Documents } from './replica-schema.ts'
import { readStored, replicaStorage } from './replica-storage.ts'

export type ReplicaCollections = { [C in Collection]: RxCollection<Documents[C]> }

/** Opens a copy of an account's documents, and removes every other copy on this device. */
export async function openReplicaDatabase(copy: CopyName): Promise<RxDatabase<ReplicaCollections>> {
  const name = replicaName(copy, await schemaHash())
  const database = await createRxDatabase<ReplicaCollections>({
    name,
    storage: replicaStorage((kept) => collections.some((collection) => kept.endsWith(`--${collection}`))),
    multiInstance: true,
    eventReduce: false,
    closeDuplicates: true,
  })
  await database.addCollections(
    Object.fromEntries(collections.map((collection) => [collection, { schema: rxSchema(collection) }])) as never,
  )
  void deleteReplicas(name).catch(() => undefined)
  return database
}

/** The collection's documents kept in memory as one array per state, following every write of every tab. */
export async function watchDocuments<D extends { readonly key: string }>(
  collection: RxCollection<D>,
  onChange: (documents: readonly D[]) => void,
): Promise<() => void> {
  const byKey = new Map<string, D>()
  let loaded = false
  const early: (() => void)[] = []

  const subscription = collection.eventBulks$.subscribe(({ events }) => {
    const apply = () => {
      for (const { documentId, documentData } of events) {
        if (documentData._deleted) byKey.delete(documentId)
        else byKey.set(documentId, plain<D>(documentData))
      }
    }
    if (!loaded) {
      early.push(apply)
      return
    }
    apply()
    onChange([...byKey.values()])
  })
  // Straight from the storage: 10,000 documents need no 10,000 objects that RxDB would wrap around them.
  for (const document of await readStored(collection)) byKey.set(document.key, plain<D>(document))
  for (const apply of early) apply()
  loaded = true
  onChange([...byKey.values()])
  return () => subscription.unsubscribe()
}

/** A stored document without what RxDB keeps beside it. */
function plain<D>(stored: object): D {
  const { _meta, _rev, _attachments, _deleted, ...document } = stored as Record<string, unknown>
  return document as D
}
