import Dexie, { liveQuery, type Table } from 'dexie'
import { collections, collectionsOf, type Collection, type Scope } from '#shared/sync/collections.ts'
import type { Arrived } from '../follow/pull.ts'

/** A scope is written up to here. */
export interface Written {
  readonly version: number
  readonly checkpoint?: string | undefined
}

/** A deleted document leaves its tombstone, so that an older page does not bring it back. */
export interface Kept {
  readonly key: string
  readonly version: number
  readonly _deleted?: true
}

interface PageRow {
  readonly collection: Collection
  readonly page: number
  /** This write wrote it. */
  readonly revision: number
  readonly documents: readonly Kept[]
}

/** Is written in the transaction of its pages, with the position of its scope. `revision` counts the writes. */
interface CollectionRow extends Written {
  readonly collection: Collection
  readonly revision: number
}

/**
 * A page is small enough to be written for one decision, and large enough to keep ten thousand documents in a few rows.
 */
const documentsPerPage = 128
const layout = { pages: '[collection+page], [collection+revision]', collections: 'collection' }
/** A changed text names another database. */
export const pagesLayout = `${Object.values(layout).join('; ')}; ${documentsPerPage}; version, checkpoint`

export interface ReplicaPages {
  /** Leaves tombstones out. */
  documents(name: Collection): Kept[]
  /**
   * Any tab may have written it; version 0 means that nothing is.
   * @throws when the storage fails
   */
  written(scope: Scope): Promise<Written>
  /**
   * Writes all or nothing. A document in the same or a newer version stays: a tab that woke up late brings back no
   * older one.
   * @throws when the storage fails
   */
  write(scope: Scope, documents: readonly Arrived<Kept>[], written: Written): Promise<void>
  close(): void
}

/** Holds a collection as this tab has last read or written it. */
interface Held {
  row: CollectionRow | undefined
  readonly pages: (readonly Kept[])[]
  readonly places: Map<string, { readonly page: number; readonly version: number }>
}

/**
 * Opens a copy on the disk: pages of documents, because a row for each document took twice as long to write. A tab that
 * writes first takes over what another one has written since.
 * @param name of the database in IndexedDB
 * @param terms `onChange` resolves when the screens have the changes; `onLost`: the disk is older than this tab's
 * writes
 * @throws when the storage fails
 */
export async function openPages(
  name: string,
  terms: {
    readonly onChange: (name: Collection, changed: readonly Kept[]) => Promise<void>
    readonly onLost: () => void
  },
): Promise<ReplicaPages> {
  // It is not opened automatically, because a tab that has not heard of a sign-out would make the database again.
  const db = new Dexie(name, { autoOpen: false }) as Dexie & {
    pages: Table<PageRow, [Collection, number]>
    collections: Table<CollectionRow, Collection>
  }
  db.version(1).stores(layout)
  const inOne = <T>(mode: 'r' | 'rw', work: () => Promise<T>) => db.transaction(mode, db.pages, db.collections, work)
  const held = Object.fromEntries(
    collections.map((one) => [one, { row: undefined, pages: [], places: new Map() }]),
  ) as unknown as Record<Collection, Held>
  const revisionOf = (one: Collection) => held[one].row?.revision ?? 0

  async function readAll(): Promise<void> {
    await db.open()
    const [rows, pages] = await inOne('r', () => Promise.all([db.collections.toArray(), db.pages.toArray()]))
    for (const row of rows)
      take(
        held[row.collection],
        row,
        pages.filter(({ collection }) => collection === row.collection),
      )
  }
  // IndexedDB dies now and then in the background; once more usually works.
  await readAll().catch(readAll)

  /**
   * Runs inside a transaction.
   * @throws when the disk is older than this tab's writes
   */
  async function readOthers(one: Collection): Promise<() => Kept[]> {
    const row = await db.collections.get(one)
    const revision = revisionOf(one)
    if ((row?.revision ?? 0) < revision) {
      terms.onLost()
      throw new Error('The copy on this device is damaged')
    }
    if (!row || row.revision === revision) return () => []
    const since = db.pages.where('[collection+revision]').between([one, revision], [one, Infinity], false)
    const pages = await since.toArray()
    return () => take(held[one], row, pages)
  }

  async function catchUp(one: Collection): Promise<void> {
    const takeOthers = await inOne('r', () => readOthers(one))
    const changed = takeOthers()
    if (changed.length > 0) await terms.onChange(one, changed)
  }

  const listening = liveQuery(() => db.collections.toArray()).subscribe({
    next(rows) {
      for (const { collection, revision } of rows)
        if (revision > revisionOf(collection)) void catchUp(collection).catch(() => undefined)
    },
    error: () => undefined,
  })

  return {
    documents: (one) => held[one].pages.flatMap((documents) => documents.filter(({ _deleted }) => !_deleted)),
    async written(scope) {
      const [one] = collectionsOf[scope]
      await catchUp(one)
      const { version = 0, checkpoint } = held[one].row ?? {}
      return { version, checkpoint }
    },
    async write(scope, documents, written) {
      const changed = new Map<Collection, Kept[]>()
      const note = (one: Collection, kept: readonly Kept[]) => changed.set(one, [...(changed.get(one) ?? []), ...kept])
      try {
        const plans = await inOne('rw', async () => {
          changed.clear()
          for (const one of collectionsOf[scope]) note(one, (await readOthers(one))())
          const next = collectionsOf[scope].flatMap((one) => {
            const mine = documents.flatMap(({ collection, document }) => (collection === one ? [document] : []))
            return planWrite(one, held[one], mine, written) ?? []
          })
          await db.pages.bulkPut(next.flatMap(({ pages }) => pages))
          await db.collections.bulkPut(next.map(({ row }) => row))
          return next
        })
        for (const { row, pages } of plans) note(row.collection, take(held[row.collection], row, pages))
      } finally {
        for (const [one, kept] of changed) if (kept.length > 0) await terms.onChange(one, kept)
      }
    },
    close() {
      listening.unsubscribe()
      db.close()
    },
  }
}

/** @returns the documents that are new; none where this tab has gone on since the rows were read */
function take(held: Held, row: CollectionRow, pages: readonly PageRow[]): Kept[] {
  if (row.revision <= (held.row?.revision ?? 0)) return []
  const changed: Kept[] = []
  for (const { page, documents } of pages) {
    held.pages[page] = documents
    for (const kept of documents) {
      if (held.places.get(kept.key)?.version === kept.version) continue
      held.places.set(kept.key, { page, version: kept.version })
      changed.push(kept)
    }
  }
  held.row = row
  return changed
}

/** @returns undefined where all of it is there, in the same or newer versions */
function planWrite(
  collection: Collection,
  { row, pages, places }: Held,
  documents: readonly Kept[],
  written: Written,
): { readonly row: CollectionRow; readonly pages: PageRow[] } | undefined {
  const changed = new Map<number, Kept[]>()
  const lengthOf = (page: number) => (changed.get(page) ?? pages[page] ?? []).length
  const contentOf = (page: number) => {
    const content = changed.get(page) ?? [...(pages[page] ?? [])]
    changed.set(page, content)
    return content
  }
  let last = Math.max(0, pages.length - 1)
  // Of a document that is in it twice, the later one is newer.
  for (const document of new Map(documents.map((one) => [one.key, one])).values()) {
    const place = places.get(document.key)
    if (place && place.version >= document.version) continue
    if (place) {
      const content = contentOf(place.page)
      content[content.findIndex(({ key }) => key === document.key)] = document
    } else {
      if (lengthOf(last) >= documentsPerPage) last += 1
      contentOf(last).push(document)
    }
  }
  const isFurther = written.version > (row?.version ?? -1)
  if (changed.size === 0 && !isFurther) return undefined
  const revision = (row?.revision ?? 0) + 1
  const { version, checkpoint } = isFurther || !row ? written : row
  return {
    row: { collection, revision, version, checkpoint },
    pages: [...changed].map(([page, kept]) => ({ collection, page, revision, documents: kept })),
  }
}
