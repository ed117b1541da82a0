import type { Collection } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { Broken, call, openStream, Refused } from '../http/call.ts'
import { isDeviceFull } from '../http/browser-storage.ts'
import { isQuotaError } from '../queue/store/storage-errors.ts'
import type { OpenedStream } from '../follow/live-stream.ts'
import { collectionsOf, createCheckpoints } from '../follow/progress.ts'
import { createPageSize, pullPages, type Page, type PageAnswer, type PullEnd, type PullTerms } from '../follow/pull.ts'
import type { ReplicaDatabase } from './replica-db.ts'
import type { Written } from './page-set.ts'
import type { Documents } from './replica-schema.ts'

/**
 * Not RxDB's replication: that keeps two more collections beside each and looks each document up three times.
 * @param onPage called once a page is written
 * @returns two functions that never reject
 */
export function pullInto(
  database: Pick<ReplicaDatabase, 'written' | 'write'>,
  epoch: string,
  onPage: (name: Collection, page: Page<{ readonly key: string; readonly version: number }>) => void,
): {
  readonly pull: (name: Collection, signal: AbortSignal) => Promise<PullEnd>
  readonly writeCarried: (poke: Poke) => Promise<boolean>
} {
  const reached = new Map<Collection, Written>()
  const checkpoints = createCheckpoints()
  const pageSize = createPageSize()

  async function keepPage<C extends Collection>(name: C, page: Page<Documents[C]>): Promise<void> {
    const { version, checkpoint } = page
    const written: Written = { version, checkpoint }
    await database.write(name, page.documents, written)
    isDeviceFull.set(false)
    reached.set(name, written)
    onPage(name, page)
  }

  async function keepCarried(poke: Poke): Promise<boolean> {
    const { carried, version } = poke
    if (!carried || !checkpoints.isContinuedBy(poke)) return false
    const { parsePage } = await fetchSchema()
    const position = { epoch, version, checkpoint: carried.to, head: version }
    const pages = collectionsOf(poke.scope).flatMap((name) => {
      const documents = carried.documents[name]
      return documents ? [[name, parsePage(name, { documents, ...position })] as const] : []
    })
    if (pages.some(([, page]) => page === undefined)) return false
    for (const [name, page] of pages) await keepPage(name, page as Page<never>)
    checkpoints.written(poke)
    return true
  }

  async function pullOne(name: Collection, signal: AbortSignal): Promise<PullEnd> {
    const isFirst = !reached.has(name)
    const kept = reached.get(name) ?? (await database.written(name))
    reached.set(name, kept)
    const keep = async (page: Page<Documents[Collection]>) => {
      if (signal.aborted) return
      const { version, checkpoint } = page
      // A checkpoint that moved on without documents is worth a write only once per start.
      if (page.documents.length > 0 || (isFirst && version > kept.version)) return await keepPage(name, page)
      reached.set(name, { version, checkpoint })
      onPage(name, page)
    }
    const end = await pullCollection(name, { epoch, checkpoint: kept.checkpoint }, signal, keep, pageSize)
    if (end.kind === 'pulled' && !signal.aborted) checkpoints.pulled(name, end)
    return end
  }

  const noticeFullDevice = (error: unknown) => {
    if (isQuotaError(error)) isDeviceFull.set(true)
  }
  return {
    pull: (name, signal) =>
      pullOne(name, signal).catch((error: unknown): PullEnd => {
        noticeFullDevice(error)
        return { kind: 'unreachable' }
      }),
    writeCarried: (poke) =>
      keepCarried(poke).catch((error: unknown) => {
        noticeFullDevice(error)
        return false
      }),
  }
}

/** Brings zod: what is on the disk is shown without. */
const fetchSchema = () => import('./replica-schema.ts')

/** @throws what `onPage` throws */
export async function pullCollection<C extends Collection>(
  name: C,
  from: Pick<PullTerms<never>, 'epoch' | 'checkpoint'>,
  signal: AbortSignal,
  onPage: (page: Page<Documents[C]>) => Promise<void>,
  pageSize = createPageSize(),
): Promise<PullEnd> {
  const { parsePage } = await fetchSchema()
  return await pullPages<Documents[C]>(
    {
      ...from,
      pageSize,
      fetchPage: (checkpoint, limit) => fetchPage(name, checkpoint, limit, signal),
      parsePage: (body) => parsePage(name, body),
    },
    onPage,
  )
}

/** @throws when there is no network */
async function fetchPage(
  collection: Collection,
  checkpoint: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<PageAnswer> {
  try {
    return {
      status: 200,
      isOurs: true,
      // Each address is new: a cache on the way that ignores `no-store` has no answer to give.
      body: await call('pull', {
        query: { collection, limit, checkpoint, nonce: crypto.randomUUID() },
        signal,
      }),
    }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, isOurs: true, body: error.problem }
    if (error instanceof Broken) return { status: error.status, isOurs: true, body: undefined }
    throw error
  }
}

/** @throws when nothing, or not our server, answered */
export async function openLiveStream(signal: AbortSignal): Promise<OpenedStream> {
  try {
    return { kind: 'open', pieces: await openStream(signal) }
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return { kind: 'refused', why: 'signed-out' }
    if (error instanceof Refused && error.status === 426) return { kind: 'refused', why: 'update-app' }
    throw error
  }
}
