import type { RxCollection, RxDatabase } from 'rxdb'
import { collections, type Collection } from '#shared/sync/collections.ts'
import type { Tombstone } from '#shared/sync/replication-calls.ts'
import { deleteReplicas, pagesName, replicaName, type CopyName } from './replica-names.ts'
import type { Kept, Written } from './page-set.ts'
import { openPages } from './replica-pages.ts'
import type { ReplicaCollections } from './replica-memory.ts'
import type { Documents } from './replica-schema.ts'

export interface ReplicaDatabase {
  /** Undefined when RxDB did not arrive: what is shown does without. */
  collections(): Promise<ReplicaCollections | undefined>
  /** At once and after every change of any tab. @returns ends it */
  watch<C extends Collection>(name: C, onChange: (documents: readonly Documents[C][]) => void): () => void
  /** Version 0 when the collection was never written. @throws when the storage fails */
  written(name: Collection): Promise<Written>
  /** As `ReplicaPages.write`. @throws when the storage fails */
  write<C extends Collection>(
    name: C,
    documents: readonly (Documents[C] | Tombstone)[],
    written: Written,
  ): Promise<void>
  close(): Promise<void>
}

/**
 * Also removes all other copies of this device.
 * @param onLost what is on the disk is damaged or gone: the copy is begun anew
 * @throws when the storage fails
 */
export async function openReplicaDatabase(
  copy: CopyName,
  onLost: () => void = () => {},
  fetchMemory = () => import('./replica-memory.ts'),
): Promise<ReplicaDatabase> {
  const name = replicaName(copy)
  let opened: Promise<RxDatabase<ReplicaCollections> | undefined> | undefined
  let closed = false
  const memory = async () => {
    if (closed) throw new Error('The copy is closed')
    opened ??= fetchMemory()
      .then(({ openMemory }) => openMemory(name))
      .catch(() => undefined)
    return await opened
  }
  const inMemory = Object.fromEntries(
    collections.map((one) => [one, watched(async () => (await memory())?.collections[one] as never)]),
  ) as Record<Collection, Watched<{ readonly key: string; readonly version: number }>>
  const pages = await openPages(pagesName(name), {
    onLost,
    onChange: async (one, changed) => await inMemory[one].change(changed),
  })
  for (const one of collections) inMemory[one].begin(pages.documents(one))
  // A first copy has nothing to show meanwhile.
  if (pages.documents('account').length === 0) void memory()
  void deleteReplicas(name).catch(() => undefined)
  return {
    collections: async () => (await memory())?.collections,
    watch: (one, onChange) => inMemory[one].watch(onChange as never),
    written: (one) => pages.written(one),
    write: (one, documents, written) => pages.write(one, documents, written),
    async close() {
      closed = true
      pages.close()
      await (await opened)?.close()
    },
  }
}

interface Watched<D> {
  /** What was on the disk is shown at once; RxDB takes it in while the page has nothing else to do. */
  begin(documents: readonly Kept[]): void
  watch(onChange: (documents: readonly D[]) => void): () => void
  /** Resolves when the watchers have had one call about all of them. */
  change(changed: readonly Kept[]): Promise<void>
}

const atOnce = 500

const idle = async () =>
  await new Promise<void>((resolve) =>
    typeof requestIdleCallback === 'function'
      ? requestIdleCallback(() => resolve(), { timeout: 200 })
      : setTimeout(resolve),
  )

function watched<D extends { readonly key: string; readonly version: number }>(
  open: () => Promise<RxCollection<D> | undefined>,
): Watched<D> {
  const byKey = new Map<string, D>()
  const watchers = new Set<(documents: readonly D[]) => void>()
  let changes: Promise<unknown> = Promise.resolve()
  /** Changes behind what is still taken in. */
  let waiting = 0
  let opened: RxCollection<D> | undefined

  async function inRxDb(): Promise<RxCollection<D> | undefined> {
    if (opened) return opened
    const collection = await open()
    opened = collection
    collection?.eventBulks$.subscribe(({ events }) => {
      for (const { documentId, documentData } of events) {
        if (documentData._deleted) byKey.delete(documentId)
        // Another object would be folded anew.
        else if (byKey.get(documentId)?.version !== documentData.version) byKey.set(documentId, plain<D>(documentData))
      }
    })
    return collection
  }

  async function apply(changed: readonly Kept[]): Promise<void> {
    const collection = await inRxDb()
    // Of a document that is in it twice, the later one is newer.
    const latest = [...new Map(changed.map((kept) => [kept.key, kept])).values()]
    const alive = latest.filter(({ _deleted }) => !_deleted) as unknown as D[]
    const added = alive.filter(({ key }) => !byKey.has(key))
    const replaced = alive.filter(({ key }) => byKey.has(key))
    const gone = latest.flatMap(({ key, _deleted }) => (_deleted && byKey.has(key) ? [key] : []))
    if (!collection) {
      for (const document of alive) byKey.set(document.key, document)
      for (const key of gone) byKey.delete(key)
    }
    if (added.length > 0) await collection?.bulkInsert(added)
    if (replaced.length > 0) await collection?.bulkUpsert(replaced)
    if (gone.length > 0) await collection?.bulkRemove(gone)
    for (const tell of watchers) tell([...byKey.values()])
  }

  /** Ten thousand at once keep the page busy for longer than it takes to show them. */
  async function takeIn(documents: readonly D[]): Promise<void> {
    for (let start = 0; start < documents.length; start += atOnce) {
      if (waiting === 0) await idle()
      await (await inRxDb())?.bulkInsert(documents.slice(start, start + atOnce))
    }
  }

  return {
    begin(documents) {
      const alive = documents as unknown as readonly D[]
      for (const document of alive) byKey.set(document.key, document)
      changes = changes.then(() => takeIn(alive)).catch(() => undefined)
    },
    watch(onChange) {
      watchers.add(onChange)
      onChange([...byKey.values()])
      return () => void watchers.delete(onChange)
    },
    // In the order in which the pages changed.
    change(changed) {
      waiting += 1
      const done = changes.then(() => apply(changed)).finally(() => (waiting -= 1))
      changes = done.catch(() => undefined)
      return done
    },
  }
}

function plain<D>(stored: object): D {
  const { _meta, _rev, _attachments, _deleted, ...document } = stored as Record<string, unknown>
  return document as D
}
