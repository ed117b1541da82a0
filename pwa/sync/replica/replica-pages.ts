import Dexie, { liveQuery, type Table } from 'dexie'
import type { Collection } from '#shared/sync/collections.ts'
import { takeCopyAhead } from './copy-ahead.ts'
import {
  areWhole,
  documentsPerPage,
  pageSet,
  isComplete,
  isReadable,
  planWrite,
  takeOver,
  writtenOf,
  type CollectionRow,
  type Kept,
  type PageRow,
  type PageSet,
  type Written,
} from './page-set.ts'

const layout = { pages: '[collection+page], [collection+revision]', collections: 'collection' }
/** A changed text names another database. */
export const pagesLayout = `${Object.values(layout).join('; ')}; ${documentsPerPage}; version, checkpoint`

export interface PagesTerms {
  /** Resolves when the watchers have the changes. */
  readonly onChange: (name: Collection, changed: readonly Kept[]) => Promise<void>
  /** The disk is damaged, or older than what this tab has written. */
  readonly onLost: () => void
}

export interface ReplicaPages {
  /** Without tombstones. */
  documents(name: Collection): Kept[]
  /** Written by any tab; version 0 for nothing. @throws when the storage fails */
  written(name: Collection): Promise<Written>
  /**
   * All or nothing. A document in the same or a newer version stays: a tab that woke up late brings back no older one.
   * @throws when the storage fails
   */
  write(name: Collection, documents: readonly Kept[], written: Written): Promise<void>
  close(): void
}

type Tables = Dexie & { pages: Table<PageRow, [Collection, number]>; collections: Table<CollectionRow, Collection> }

/**
 * Tabs agree by the collection's revision: a write first takes over what another tab has written.
 * @param name of the database in IndexedDB
 * @throws when the storage fails
 */
export async function openPages(name: string, { onChange, onLost }: PagesTerms): Promise<ReplicaPages> {
  // Not opened by itself: a tab that has not heard of a sign-out would make the database anew.
  const db = new Dexie(name, { autoOpen: false }) as Tables
  db.version(1).stores(layout)
  // IndexedDB dies now and then in the background; once more usually works.
  const open = () => db.open().catch(() => db.open())
  const inOne = <T>(mode: 'r' | 'rw', work: () => Promise<T>) => db.transaction(mode, db.pages, db.collections, work)
  const readAll = () => inOne('r', () => Promise.all([db.collections.toArray(), db.pages.toArray()]))
  const readNow = async () => {
    await open()
    const [rows, pages] = await readAll().catch(readAll)
    return { rows, pages }
  }
  const ahead = await takeCopyAhead(name)
  const { rows, pages } = ahead ?? (await readNow())
  if (ahead) void open().catch(() => lose())

  const held: Record<Collection, PageSet> = {
    events: pageSet('events'),
    applications: pageSet('applications'),
    account: pageSet('account'),
  }
  let isLost = false
  const lose = () => {
    if (!isLost) onLost()
    isLost = true
  }
  if (areWhole(rows, pages)) for (const row of rows) held[row.collection] = pageSet(row.collection, row, pages)
  else lose()

  const revisionOf = (one: Collection) => held[one].row?.revision ?? 0

  /**
   * Inside a transaction.
   * @returns the documents that are new
   * @throws when the copy is lost: no tab takes away what was written
   */
  async function takeOverOthers(one: Collection): Promise<Kept[]> {
    const row = await db.collections.get(one)
    const revision = revisionOf(one)
    const since = db.pages.where('[collection+revision]').between([one, revision], [one, Infinity], false)
    const others = row && row.revision > revision ? await since.toArray() : []
    if ((row?.revision ?? 0) < revision || !others.every(isReadable)) lose()
    const changed = isLost ? [] : takeOver(held[one], row, others)
    if (!isComplete(held[one])) lose()
    if (isLost) throw new Error('The copy on this device is damaged')
    return changed
  }

  async function catchUp(one: Collection): Promise<void> {
    const changed = await inOne('r', () => takeOverOthers(one))
    if (changed.length > 0) await onChange(one, changed)
  }

  async function write(one: Collection, documents: readonly Kept[], written: Written): Promise<void> {
    let changed: Kept[] = []
    try {
      const plan = await inOne('rw', async () => {
        changed = await takeOverOthers(one)
        const planned = planWrite(held[one], documents, written)
        if (!planned) return undefined
        await db.pages.bulkPut(planned.pages)
        await db.collections.put(planned.row)
        return planned
      })
      if (plan) changed = [...changed, ...takeOver(held[one], plan.row, plan.pages)]
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
    error: () => undefined,
  })

  return {
    documents: (one) => held[one].pages.flatMap(({ documents }) => documents.filter(({ _deleted }) => !_deleted)),
    async written(one) {
      await catchUp(one)
      return writtenOf(held[one])
    },
    write,
    close() {
      listening.unsubscribe()
      db.close()
    },
  }
}
