import type { CollectionRow, PageRow } from './page-set.ts'
import { isReplica } from './replica-names.ts'

export interface StoredCopy {
  readonly rows: readonly CollectionRow[]
  readonly pages: readonly PageRow[]
}

let ahead: { readonly name: string; readonly stored: Promise<StoredCopy> } | undefined

/** Begins to read this device's copy, while Dexie is loaded. @returns whether there is just one */
export async function readCopyAhead(): Promise<boolean> {
  const databases = await indexedDB.databases()
  const [name, ...others] = databases.flatMap(({ name }) => (name !== undefined && isReplica(name) ? [name] : []))
  if (name === undefined || others.length > 0) return false
  ahead = { name, stored: readStored(name) }
  ahead.stored.catch(() => undefined)
  return true
}

/** Once. @returns undefined where another copy, or none, was read */
export async function takeCopyAhead(name: string): Promise<StoredCopy | undefined> {
  const taken = ahead
  ahead = undefined
  return taken?.name === name ? await taken.stored.catch(() => undefined) : undefined
}

async function readStored(name: string): Promise<StoredCopy> {
  const request = indexedDB.open(name)
  // Deleted meanwhile, it must not be made anew.
  request.onupgradeneeded = () => request.transaction?.abort()
  const db = await resultOf(request)
  try {
    const stores = db.transaction(['collections', 'pages'])
    const [rows, pages] = await Promise.all([
      resultOf<CollectionRow[]>(stores.objectStore('collections').getAll()),
      resultOf<PageRow[]>(stores.objectStore('pages').getAll()),
    ])
    return { rows, pages }
  } finally {
    db.close()
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The storage does not answer'))
  })
}
