import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { collections, type Collection } from '#shared/sync/collections.ts'
import { rxSchema, type Documents } from './replica-schema.ts'

export type ReplicaCollections = { [C in Collection]: RxCollection<Documents[C]> }

export async function openMemory(name: string): Promise<RxDatabase<ReplicaCollections>> {
  const database = await createRxDatabase<ReplicaCollections>({
    name: `${name}-${crypto.randomUUID()}`,
    storage: getRxStorageMemory(),
    multiInstance: false,
    eventReduce: false,
  })
  await database.addCollections(Object.fromEntries(collections.map((one) => [one, { schema: rxSchema(one) }])) as never)
  return database
}
