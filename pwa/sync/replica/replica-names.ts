const prefix = 'beaconry-replica-'
/** Of the databases that RxDB kept, so that either version of the app clears up the other's. */
const databasePrefix = 'rxdb-dexie-'

/** Of the documents' schemas, hexadecimal. */
const copyLayout = () => String(import.meta.env.COPY_LAYOUT)

export interface CopyName {
  readonly userId: number
  readonly epoch: string
  readonly generation: number
}

/**
 * Another account, epoch, generation or schema is another database: nothing is migrated, and a copy begun anew never
 * meets the one before.
 */
export function replicaName({ userId, epoch, generation }: CopyName, layout = copyLayout()): string {
  return `${prefix}${userId}-${epoch.replaceAll('-', '').slice(0, 12)}-${generation}-${layout.slice(0, 10)}`
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
