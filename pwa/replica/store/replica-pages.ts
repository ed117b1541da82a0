import Dexie, { liveQuery, type Table } from 'dexie'
import { collections, type Checkpoint, type Collection } from '#shared/sync/replication-calls.ts'

/** Up to where in its scope's feed a collection is written: the version, and the mark of the feed's history there. */
export type Written = Omit<Checkpoint, 'epoch'>

/** A document as it is kept: a deleted one leaves its tombstone, so that an older page does not bring it back. */
export interface Kept {
  readonly key: string
  readonly version: number
  readonly _deleted?: true
}

/** Some documents of a collection, kept as one record. */
interface PageRow {
  readonly collection: Collection
  /** Counted from 0. */
  readonly page: number
  /** The collection's revision that wrote it last. */
  readonly revision: number
  readonly documents: readonly Kept[]
}

/** A collection as a whole, written in the transaction of its pages. */
interface CollectionRow extends Written {
  readonly collection: Collection
  /** Counts the writes. */
  readonly revision: number
  /** The revision of each page, by which a page that is missing or of another time is noticed. */
  readonly pages: readonly number[]
  /** How many documents the pages hold, tombstones included. */
  readonly count: number
}

/** One decision writes one page: small enough for that, and large enough that ten thousand documents are read at once. */
const documentsPerPage = 128

const layout = { pages: '[collection+page], [collection+revision]', collections: 'collection' }
/** Changes when the databases are laid out in another way: that is another database. */
export const pagesLayout = `${Object.values(layout).join('; ')}; ${documentsPerPage}`

export interface PagesTerms {
  /** Documents of a collection have changed, by this tab or another one. Resolves when whoever watches has been told. */
  readonly onChange: (name: Collection, changed: readonly Kept[]) => Promise<void>
  /** What is on the disk is damaged, or not what this tab has written any more: nothing can be built on it. */
  readonly onLost: () => void
}

/** The pages of one copy of an account's documents, in one tab. */
export interface ReplicaPages {
  /** The documents of a collection that this tab knows of, without tombstones. */
  documents(name: Collection): Kept[]
  /** Up to where a collection is written, by whichever tab; version 0 when it never was. @throws when the storage fails */
  written(name: Collection): Promise<Written>
  /**
   * Writes what the server said into a collection, and up to where in the feed that is, all of it or nothing. What is there in
   * the same or a newer version stays: a tab that woke up late takes nobody back.
   * @throws when the storage fails
   */
  write(name: Collection, documents: readonly Kept[], written: Written): Promise<void>
  close(): void
}

/** A collection as one tab has it in memory. */
interface Held {
  row: CollectionRow | undefined
  readonly pages: PageRow[]
  /** Where each document is. */
  readonly places: Map<string, { readonly page: number; readonly kept: Kept }>
}

/**
 * Opens the pages of a copy. Tabs agree by the collection's revision: a write first takes over, in its own transaction, the
 * pages that another tab has written since, and every tab reads those that others have written.
 * @param name of the database in IndexedDB
 * @throws when the storage fails
 */
export async function openPages(name: string, { onChange, onLost }: PagesTerms): Promise<ReplicaPages> {
  // It does not open by itself: a tab that has not heard of a sign-out yet would make a database anew that was deleted.
  const db = new Dexie(name, { autoOpen: false }) as Dexie & {
    pages: Table<PageRow, [Collection, number]>
    collections: Table<CollectionRow, Collection>
  }
  db.version(1).stores(layout)
  const inOne = <T>(mode: 'r' | 'rw', work: () => Promise<T>) => db.transaction(mode, db.pages, db.collections, work)
  // IndexedDB dies now and then in an app that was in the background; once more usually works.
  await db.open().catch(() => db.open())

  const readAll = () => inOne('r', () => Promise.all([db.collections.toArray(), db.pages.toArray()]))
  const [rows, pages] = await readAll().catch(readAll)
  const held = Object.fromEntries(
    collections.map((one) => [one, { row: undefined, pages: [], places: new Map() } as Held]),
  ) as Record<Collection, Held>
  let isLost = false
  const lose = () => {
    if (!isLost) onLost()
    isLost = true
  }
  const isWhole = areWhole(rows, pages)
  if (isWhole) for (const row of rows) takeOver(held[row.collection], row, pagesOf(pages, row.collection))
  else lose()

  const revisionOf = (one: Collection) => held[one].row?.revision ?? 0
  const pagesSince = (one: Collection, revision: number) =>
    db.pages.where('[collection+revision]').between([one, revision], [one, Infinity], false).toArray()

  /**
   * What other tabs have written into a collection since, inside a transaction.
   * @throws when the copy is lost: no tab takes away what was written
   */
  async function readOthers(one: Collection): Promise<[CollectionRow | undefined, PageRow[]]> {
    const row = await db.collections.get(one)
    if ((row?.revision ?? 0) < revisionOf(one)) lose()
    if (isLost) throw new Error('The copy on this device is damaged')
    return [row, row && row.revision > revisionOf(one) ? await pagesSince(one, revisionOf(one)) : []]
  }

  async function catchUp(one: Collection): Promise<void> {
    const [row, others] = await inOne('r', () => readOthers(one))
    const changed = takeOver(held[one], row, others)
    if (changed.length > 0) await onChange(one, changed)
  }

  async function write(one: Collection, documents: readonly Kept[], written: Written): Promise<void> {
    let changed: Kept[] = []
    try {
      const [latest, own] = await inOne('rw', async () => {
        const [before, others] = await readOthers(one)
        changed = takeOver(held[one], before, others)
        const revision = (before?.revision ?? 0) + 1
        const next = pagesWith(held[one], documents).map(([page, kept]): PageRow => {
          return { collection: one, page, revision, documents: kept }
        })
        if (next.length === 0 && written.version <= (before?.version ?? -1)) return [before, next] as const
        const row: CollectionRow = {
          ...(before && before.version >= written.version ? before : written),
          ...shapeWith(held[one], next),
          collection: one,
          revision,
        }
        await db.pages.bulkPut(next)
        await db.collections.put(row)
        return [row, next] as const
      })
      changed = [...changed, ...takeOver(held[one], latest, own)]
    } finally {
      if (changed.length > 0) await onChange(one, changed)
    }
  }

  const listening = liveQuery(() => db.collections.toArray()).subscribe({
    next(current) {
      for (const { collection, revision } of current) {
        if (revision > revisionOf(collection)) void catchUp(collection).catch(() => undefined)
      }
    },
    // A storage that fails says so to whoever writes.
    error: () => undefined,
  })

  return {
    documents: (one) => [...held[one].places.values()].flatMap(({ kept }) => (kept._deleted ? [] : [kept])),
    async written(one) {
      await catchUp(one)
      const { version = 0, mark } = held[one].row ?? {}
      return { version, ...(mark === undefined ? {} : { mark }) }
    },
    write,
    close() {
      listening.unsubscribe()
      db.close()
    },
  }
}

const pagesOf = (pages: readonly PageRow[], one: Collection) => pages.filter(({ collection }) => collection === one)

/** Whether every page that was written is there as it was written, and none that was not. */
function areWhole(rows: readonly CollectionRow[], pages: readonly PageRow[]): boolean {
  const isWhole = ({ collection, pages: revisions, count }: CollectionRow) => {
    const own = pagesOf(pages, collection)
    const areAsWritten = revisions.every(
      (revision, index) => own[index]?.page === index && own[index].revision === revision,
    )
    return (
      areAsWritten &&
      own.every(({ documents }) => Array.isArray(documents)) &&
      own.flatMap(({ documents }) => documents).length === count
    )
  }
  return rows.every(isWhole) && rows.reduce((sum, row) => sum + row.pages.length, 0) === pages.length
}

/** Takes pages from the disk into memory. @returns the documents that are new in them */
function takeOver(held: Held, row: CollectionRow | undefined, pages: readonly PageRow[]): Kept[] {
  const changed: Kept[] = []
  for (const page of pages) {
    if ((held.pages[page.page]?.revision ?? 0) >= page.revision) continue
    held.pages[page.page] = page
    for (const kept of page.documents) {
      if (held.places.get(kept.key)?.kept.version === kept.version) continue
      changed.push(kept)
      held.places.set(kept.key, { page: page.page, kept })
    }
  }
  if (row && row.revision > (held.row?.revision ?? 0)) held.row = row
  return changed
}

/** The pages that documents of the server change, with what is in them then; a new document goes to the last page. */
function pagesWith({ pages, places }: Held, documents: readonly Kept[]): (readonly [page: number, Kept[]])[] {
  const changed = new Map<number, Kept[]>()
  const added = new Map<string, number>()
  let last = Math.max(0, pages.length - 1)
  const isFull = (page: number) => (changed.get(page) ?? pages[page]?.documents ?? []).length >= documentsPerPage
  const contentOf = (page: number) => {
    const content = changed.get(page) ?? [...(pages[page]?.documents ?? [])]
    changed.set(page, content)
    return content
  }
  for (const document of documents) {
    const place = places.get(document.key)
    if (place && place.kept.version >= document.version) continue
    const page = place?.page ?? added.get(document.key)
    if (page === undefined) {
      if (isFull(last)) last += 1
      contentOf(last).push(document)
      added.set(document.key, last)
      continue
    }
    const content = contentOf(page)
    const index = content.findIndex(({ key }) => key === document.key)
    const kept = content[index]
    if (kept && kept.version < document.version) content[index] = document
  }
  return [...changed]
}

/** How a collection's pages stand when some of them are replaced. */
function shapeWith(held: Held, replaced: readonly PageRow[]): Pick<CollectionRow, 'pages' | 'count'> {
  const after = [...held.pages]
  for (const page of replaced) after[page.page] = page
  return {
    pages: after.map(({ revision }) => revision),
    count: after.reduce((sum, { documents }) => sum + documents.length, 0),
  }
}
