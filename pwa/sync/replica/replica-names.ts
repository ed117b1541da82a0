/** Copies are called by this. */
const prefix = 'beaconry-replica-'
/** What IndexedDB databases of copies start with, as they did when RxDB kept them: either version of the app clears up the other's. */
const databasePrefix = 'rxdb-dexie-'

/** Which copy of an account's documents this is: of which of the server's epochs, and how often it was begun anew here. */
export interface CopyName {
  readonly userId: number
  readonly epoch: string
  readonly generation: number
}

/**
 * The replica's database name: another account, epoch, copy or schema is another database, so nothing is ever migrated, and
 * a copy that was begun anew never meets what the one before held.
 * @param schemaHash hexadecimal
 */
export function replicaName({ userId, epoch, generation }: CopyName, schemaHash: string): string {
  return `${prefix}${userId}-${epoch.replaceAll('-', '').slice(0, 12)}-${generation}-${schemaHash.slice(0, 10)}`
}

/** Whether a database, by its name in IndexedDB, is part of a replica. */
export const isReplica = (databaseName: string): boolean => databaseName.startsWith(databasePrefix + prefix)

/** What the IndexedDB database of a copy's pages is called. @param replica a name of `replicaName` */
export const pagesName = (replica: string): string => `${databasePrefix}${replica}--pages`

/**
 * Deletes every replica database on this device but one.
 * @param keep a name of `replicaName`
 */
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
    // Another tab has it open; it closes it when it hears of the change, and the browser deletes it then.
    request.onblocked = () => resolve()
    request.onerror = () => reject(request.error ?? new Error(`${name} could not be deleted`))
  })
}
