import { getDefaultRevision, type RxCollection, type RxDocumentData } from 'rxdb'
import type { Checkpoint, Tombstone } from '#shared/sync/replication-calls.ts'

/**
 * The row that says up to which version its collection is written. It is kept as a deleted document, which no query answers,
 * because what is written with a page in one transaction can neither be ahead of it nor be lost without it.
 */
const progressKey = '-written'

type Kept<D> = RxDocumentData<D & { readonly version: number; readonly mark?: string }>

/** Up to where in its scope's feed a collection is written: the version, and the mark of the feed's history there. */
export type Written = Omit<Checkpoint, 'epoch'>

/** Up to where the collection is written; version 0 when it never was. */
export async function readWritten<D>(collection: RxCollection<D>): Promise<Written> {
  const [progress] = await collection.storageInstance.findDocumentsById([progressKey], true)
  const { version = 0, mark } = (progress as Kept<D> | undefined) ?? {}
  return { version, ...(mark === undefined ? {} : { mark }) }
}

/**
 * Writes what the server said into a collection, all of it or nothing, and up to where in the feed that is. What is there in
 * the same or a newer version stays: a tab that woke up late takes nobody back.
 * @throws when the storage fails
 */
export async function writePage<D extends { readonly key: string; readonly version: number }>(
  collection: RxCollection<D>,
  documents: readonly (D | Tombstone)[],
  written: Written,
): Promise<void> {
  const storage = collection.storageInstance
  const sorted = [...documents].sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
  let open: readonly object[] = [{ key: progressKey, ...written, _deleted: true }, ...sorted]
  // Another tab may write between the look and the write; then this one looks again.
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const pages = open as readonly { readonly key: string; readonly version: number; readonly _deleted?: true }[]
    const stored = await storage.findDocumentsById(
      pages.map(({ key }) => key),
      true,
    )
    const present = new Map(stored.map((document) => [document.key as string, document as Kept<D>]))
    const rows = pages.flatMap((document) => {
      const previous = present.get(document.key)
      if (previous && previous.version >= document.version) return []
      const row = {
        ...document,
        _deleted: document._deleted ?? false,
        _attachments: {},
        _meta: { ...previous?._meta, lwt: 1 },
        _rev: getDefaultRevision(),
      }
      return [{ ...(previous ? { previous } : {}), document: row as unknown as Kept<D> }]
    })
    if (rows.length === 0) return
    const { error } = await storage.bulkWrite(rows, 'pull')
    const failure = error.find(({ status }) => status !== 409)
    if (failure || attempt === 5) throw new Error(`A page could not be written: ${failure?.status ?? 'conflicts'}`)
    const refused = new Set(error.map(({ documentId }) => documentId))
    open = pages.filter(({ key }) => refused.has(key))
  }
}
