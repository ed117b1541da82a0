import { scopes, type Collection, type Scope } from '#shared/sync/collections.ts'
import { Broken, call, openStream, Refused } from '../http/call.ts'
import { isDeviceFull } from '../../browser/browser-storage.ts'
import { whenShown } from '../../browser/page-storage.ts'
import { newKey } from '../queue/new-key.ts'
import { isQuotaError } from '../../browser/storage-errors.ts'
import type { OpenedStream } from '../follow/live-stream.ts'
import { createPageSize, pullPages, type Page, type PageAnswer, type PullEnd, type PullTerms } from '../follow/pull.ts'
import type { ReplicaDatabase } from './replica-db.ts'
import type { Written } from './replica-pages.ts'
import type { Documents } from './replica-schema.ts'

type AnyDocument = Documents[Collection]

/** This many are written in a few milliseconds, in a hidden page too. */
const quickDocuments = 100
/** Another tab may be shown, and waits for what this one writes. */
const hiddenPatienceMs = 5_000
/** A first page may wait this long for a copy that is slow to open. */
const patienceMs = 30_000

/**
 * RxDB's replication is not used: it keeps two more collections for each and looks each document up three times.
 * @param onPage called once a page is written
 * @param first taken instead of asking for them again
 * @returns pulls one scope; never rejects
 */
export function pullInto(
  database: Pick<ReplicaDatabase, 'written' | 'write'>,
  epoch: string,
  onPage: (scope: Scope, page: Page<AnyDocument>) => void,
  first: FirstPages = new Map(),
): (scope: Scope, signal: AbortSignal, acknowledged: readonly string[]) => Promise<PullEnd> {
  const reached = new Map<Scope, Written>()
  const pageSize = createPageSize()

  async function keepPage(scope: Scope, page: Page<AnyDocument>): Promise<void> {
    const { version, checkpoint } = page
    const written: Written = { version, checkpoint }
    if (page.documents.length > quickDocuments) await whenShown(hiddenPatienceMs)
    await database.write(scope, page.documents, written)
    isDeviceFull.set(false)
    reached.set(scope, written)
    onPage(scope, page)
  }

  async function pullOne(scope: Scope, signal: AbortSignal, acknowledged: readonly string[]): Promise<PullEnd> {
    const isFirst = !reached.has(scope)
    const kept = reached.get(scope) ?? (await database.written(scope))
    reached.set(scope, kept)
    const keep = async (page: Page<AnyDocument>) => {
      if (signal.aborted) return
      const { version, checkpoint } = page
      // A checkpoint that moved on without documents is worth a write only once per start.
      if (page.documents.length > 0 || (isFirst && version > kept.version)) return await keepPage(scope, page)
      reached.set(scope, { version, checkpoint })
      onPage(scope, page)
    }
    const asked = kept.checkpoint === undefined ? first.get(scope) : undefined
    first.delete(scope)
    const from = { epoch, checkpoint: kept.checkpoint, acknowledged, first: asked }
    return await pullScope(scope, from, signal, keep, pageSize)
  }

  return (scope, signal, acknowledged) =>
    pullOne(scope, signal, acknowledged).catch((error: unknown): PullEnd => {
      if (isQuotaError(error)) isDeviceFull.set(true)
      return { kind: 'unreachable' }
    })
}

export type FirstPages = Map<Scope, Promise<PageAnswer>>

/** Asks for the first pages of a first copy, while the copy is being opened. */
export function fetchFirstPages(): FirstPages {
  void fetchSchema().catch(() => undefined)
  const asked = { checkpoint: undefined, limit: createPageSize().limit(), acknowledged: [] }
  const pages = scopes.map((scope) => [scope, fetchPage(scope, asked, AbortSignal.timeout(patienceMs))] as const)
  // Each is awaited later, or never where this tab does not lead.
  for (const [, page] of pages) page.catch(() => undefined)
  return new Map(pages)
}

/** Brings zod: what is on the disk is shown without. */
const fetchSchema = () => import('./replica-schema.ts')

interface PullFrom extends Pick<PullTerms<never>, 'epoch' | 'checkpoint'> {
  /** Checkpoints of acknowledgements: the server says `reset` when it has lost one. */
  readonly acknowledged?: readonly string[]
  /** This is the first page, where it was asked for already. */
  readonly first?: Promise<PageAnswer> | undefined
}

/** @throws what `onPage` throws */
export async function pullScope(
  scope: Scope,
  { acknowledged = [], first, ...from }: PullFrom,
  signal: AbortSignal,
  onPage: (page: Page<AnyDocument>) => Promise<void>,
  pageSize = createPageSize(),
): Promise<PullEnd> {
  const { parsePage } = await fetchSchema()
  return await pullPages<AnyDocument>(
    {
      ...from,
      pageSize,
      fetchPage: (checkpoint, limit) =>
        checkpoint === undefined && first ? first : fetchPage(scope, { checkpoint, limit, acknowledged }, signal),
      parsePage,
    },
    onPage,
  )
}

/** @throws when there is no network */
async function fetchPage(
  scope: Scope,
  asked: { readonly checkpoint: string | undefined; readonly limit: number; readonly acknowledged: readonly string[] },
  signal: AbortSignal,
): Promise<PageAnswer> {
  const acknowledged = asked.acknowledged.length > 0 ? asked.acknowledged.join(',') : undefined
  try {
    return {
      status: 200,
      isOurs: true,
      // Each address is new: a cache on the way that ignores `no-store` has no answer to give.
      body: await call('pull', {
        query: { ...asked, scope, acknowledged, nonce: newKey() },
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
