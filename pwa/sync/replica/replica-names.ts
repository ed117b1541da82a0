import type { SyncMeta } from './sync-meta.ts'

export type CopyName = Pick<SyncMeta, 'userId' | 'copy'>

const prefix = 'beaconry-replica-'
/** RxDB gave this to the databases that it kept, so either version of the app clears up the other's. */
const databasePrefix = 'rxdb-dexie-'

/** Hashes the documents' schemas, in hexadecimal. */
const copyLayout = () => String(import.meta.env.COPY_LAYOUT)

/**
 * Another account, copy or schema is another database: nothing is migrated, and a copy that is begun again never meets
 * the one before, which another tab may hold open.
 */
export function replicaName({ userId, copy }: CopyName, layout = copyLayout()): string {
  return `${prefix}${userId}-${copy.replaceAll('-', '').slice(0, 12)}-${layout.slice(0, 10)}`
}

/** @param databaseName in IndexedDB */
export const isReplica = (databaseName: string): boolean => databaseName.startsWith(databasePrefix + prefix)

export const pagesName = (replica: string): string => `${databasePrefix}${replica}--pages`

/** @param keep a name of `replicaName`; absent: none is kept */
export async function deleteReplicas(keep?: string): Promise<void> {
  const databases = (await indexedDB.databases?.()) ?? []
  const names = databases.flatMap(({ name }) => (name !== undefined && isReplica(name) ? [name] : []))
  await Promise.all(
    names.filter((name) => keep === undefined || !name.startsWith(`${databasePrefix}${keep}--`)).map(deleteDatabase),
  )
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    // Another tab will close it, and the browser deletes it then.
    request.onblocked = () => resolve()
    request.onerror = () => reject(request.error ?? new Error(`${name} could not be deleted`))
  })
}
