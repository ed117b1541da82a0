import type { Collection } from '#shared/sync/collections.ts'

/** Up to where a collection is written. */
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

export interface PageRow {
  readonly collection: Collection
  readonly page: number
  readonly revision: number
  readonly documents: readonly Kept[]
}

/** Written in the transaction of its pages. */
export interface CollectionRow extends Written {
  readonly collection: Collection
  readonly revision: number
  /** By which a page that is missing or of another time is noticed. */
  readonly pages: readonly number[]
  /** Tombstones included. */
  readonly count: number
}

/** Small enough to write one for one decision, large enough to read ten thousand documents at once. */
export const documentsPerPage = 128

export interface PageSet {
  readonly collection: Collection
  row: CollectionRow | undefined
  readonly pages: PageRow[]
  readonly byKey: Map<string, { readonly page: number; readonly kept: Kept }>
}

/** @param pages of any collection, whole; their keys are indexed at the first write */
export function pageSet(collection: Collection, row?: CollectionRow, pages: readonly PageRow[] = []): PageSet {
  const own = pagesOf(pages, collection)
  let byKey: PageSet['byKey'] | undefined
  return {
    collection,
    row,
    pages: own,
    get byKey() {
      byKey ??= new Map(own.flatMap(({ page, documents }) => documents.map((kept) => [kept.key, { page, kept }])))
      return byKey
    },
  }
}

/** Version 0 when the collection was never written. */
export function writtenOf({ row }: PageSet): Written {
  return { version: row?.version ?? 0, checkpoint: row?.checkpoint }
}

const pagesOf = (pages: readonly PageRow[], one: Collection) => pages.filter(({ collection }) => collection === one)

export const isReadable = ({ documents }: PageRow): boolean => Array.isArray(documents)

const countOf = (pages: readonly PageRow[]) => pages.reduce((sum, { documents }) => sum + documents.length, 0)

/** Whether the pages are exactly those written. */
export function areWhole(rows: readonly CollectionRow[], pages: readonly PageRow[]): boolean {
  const isWhole = ({ collection, pages: revisions, count }: CollectionRow) => {
    const own = pagesOf(pages, collection)
    const areAsWritten = revisions.every(
      (revision, index) => own[index]?.page === index && own[index].revision === revision,
    )
    return areAsWritten && own.every(isReadable) && countOf(own) === count
  }
  return rows.every(isWhole) && rows.reduce((sum, row) => sum + row.pages.length, 0) === pages.length
}

/**
 * Takes what is on the disk into memory.
 * @param row undefined where the collection was never written
 * @param pages of any collection, in any order, that may be newer
 * @returns the documents that are new in them
 */
export function takeOver(held: PageSet, row: CollectionRow | undefined, pages: readonly PageRow[]): Kept[] {
  const { byKey } = held
  const changed: Kept[] = []
  for (const page of pagesOf(pages, held.collection)) {
    if ((held.pages[page.page]?.revision ?? 0) >= page.revision) continue
    held.pages[page.page] = page
    for (const kept of page.documents) {
      if (byKey.get(kept.key)?.kept.version === kept.version) continue
      changed.push(kept)
      byKey.set(kept.key, { page: page.page, kept })
    }
  }
  if (row && row.revision > (held.row?.revision ?? 0)) held.row = row
  return changed
}

/** False while a page on the disk is not taken over. */
export function isComplete({ row, pages }: PageSet): boolean {
  const revisions = row?.pages ?? []
  return pages.length === revisions.length && revisions.every((revision, index) => pages[index]?.revision === revision)
}

/**
 * Changes nothing in memory. A document or checkpoint stays if it is as new or newer.
 * @param held everything that is on the disk
 * @returns undefined when everything stays
 */
export function planWrite(
  held: PageSet,
  documents: readonly Kept[],
  written: Written,
  perPage = documentsPerPage,
): { readonly row: CollectionRow; readonly pages: readonly PageRow[] } | undefined {
  const { collection, row: before } = held
  const revision = (before?.revision ?? 0) + 1
  const pages = changedPages(held, documents, perPage).map(([page, kept]): PageRow => ({
    collection,
    page,
    revision,
    documents: kept,
  }))
  const isFurther = written.version > (before?.version ?? -1)
  if (pages.length === 0 && !isFurther) return undefined
  const after = [...held.pages]
  for (const page of pages) after[page.page] = page
  const row: CollectionRow = {
    collection,
    revision,
    pages: after.map((page) => page.revision),
    count: countOf(after),
    ...(isFurther ? written : writtenOf(held)),
  }
  return { row, pages }
}

function changedPages(
  { pages, byKey }: PageSet,
  documents: readonly Kept[],
  perPage: number,
): [page: number, Kept[]][] {
  const changed = new Map<number, Kept[]>()
  const added = new Map<string, number>()
  let last = Math.max(0, pages.length - 1)
  const isFull = (page: number) => (changed.get(page) ?? pages[page]?.documents ?? []).length >= perPage
  const contentOf = (page: number) => {
    const content = changed.get(page) ?? [...(pages[page]?.documents ?? [])]
    changed.set(page, content)
    return content
  }
  for (const document of documents) {
    const known = byKey.get(document.key)
    if (known && known.kept.version >= document.version) continue
    const page = known?.page ?? added.get(document.key)
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
