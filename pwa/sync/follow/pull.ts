import { isProblem } from '#shared/contract/problem.ts'
import type { Collection } from '#shared/sync/collections.ts'
import type { FeedPosition, Tombstone } from '#shared/sync/replication-calls.ts'

/** Documents and tombstones arrive in the order of the versions. */
export interface Arrived<D = unknown> {
  readonly collection: Collection
  readonly document: D | Tombstone
}

export interface Page<D = unknown> extends FeedPosition {
  readonly documents: readonly Arrived<D>[]
  /** This app cannot read these documents, which `documents` leaves out. Each is `collection/key`. */
  readonly unreadable?: readonly string[]
  readonly head: number
  readonly more: boolean
  readonly keepSettledHours?: number | undefined
}

export interface PageAnswer {
  readonly status: number
  /** The answer carries `X-Beaconry`. */
  readonly isOurs: boolean
  readonly body: unknown
}

export type PullEnd =
  | ({
      readonly kind: 'pulled'
      /** Up to this version the scope is complete, once the documents are written. */
      readonly head: number
    } & FeedPosition)
  /**
   * The copy cannot be continued; the next is of this epoch. `horizon`: it is only too old; `history`: the server went
   * back, or may have.
   */
  | { readonly kind: 'reset'; readonly reason: 'history' | 'horizon'; readonly epoch: string | undefined }
  /** `isRevoked` says that its owner ended the session from elsewhere. */
  | { readonly kind: 'signed-out'; readonly isRevoked: boolean }
  | { readonly kind: 'update-app' }
  | { readonly kind: 'unreachable' }

export interface PullTerms<D> {
  /** Undefined starts from the beginning. It may throw when there is no network. */
  readonly fetchPage: (checkpoint: string | undefined, limit: number) => Promise<PageAnswer>
  readonly parsePage: (body: unknown) => Page<D> | undefined
  readonly checkpoint: string | undefined
  /** A page of another epoch is a reset. A copy that takes the first page's has undefined here. */
  readonly epoch: string | undefined
  readonly pageSize: PageSize
}

/**
 * Asks for fewer documents after a page that never came whole; the second size comes first, so that a slow network soon
 * has something to show.
 */
export interface PageSize {
  limit(): number
  came(): void
  failed(): void
}

/** @param limits from the largest page, which is written in one transaction of at most 50 ms, to the smallest */
export function createPageSize(limits: readonly number[] = [1000, 500, 100]): PageSize {
  let step = Math.min(1, limits.length - 1)
  return {
    limit: () => limits[step] as number,
    came: () => void (step = Math.max(step - 1, 0)),
    failed: () => void (step = Math.min(step + 1, limits.length - 1)),
  }
}

function refusalOf(answer: PageAnswer): Exclude<PullEnd, { kind: 'pulled' }> {
  if (!answer.isOurs || !isProblem(answer.body)) return { kind: 'unreachable' }
  if (answer.status === 401) return { kind: 'signed-out', isRevoked: answer.body.code === 'session_revoked' }
  if (answer.status === 410) return { kind: 'reset', ...resetOf(answer.body.current) }
  if (answer.status === 426) return { kind: 'update-app' }
  return { kind: 'unreachable' }
}

function resetOf(current: unknown): { reason: 'history' | 'horizon'; epoch: string | undefined } {
  const { reason, epoch } = (typeof current === 'object' && current !== null ? current : {}) as Record<string, unknown>
  return {
    reason: reason === 'horizon' ? 'horizon' : 'history',
    epoch: typeof epoch === 'string' ? epoch : undefined,
  }
}

/**
 * Everything after a checkpoint: while one page is written, the next is under way.
 * @param onPage keeps the page and its checkpoint, both or neither; what it throws ends the pull
 */
export async function pullPages<D>(
  terms: PullTerms<D>,
  onPage: (page: Page<D>) => void | Promise<void>,
): Promise<PullEnd> {
  const { fetchPage, parsePage, pageSize } = terms
  let { checkpoint, epoch } = terms
  let writing: Promise<void> = Promise.resolve()
  for (;;) {
    const limit = pageSize.limit()
    let answer: PageAnswer
    try {
      answer = await fetchPage(checkpoint, limit)
      pageSize.came()
    } catch {
      pageSize.failed()
      return await writing.then(() => ({ kind: 'unreachable' }))
    }
    await writing
    if (answer.status !== 200 || !answer.isOurs) return refusalOf(answer)
    const page = parsePage(answer.body)
    if (!page) return { kind: 'unreachable' }
    if (epoch !== undefined && page.epoch !== epoch) return { kind: 'reset', reason: 'history', epoch: page.epoch }
    writing = Promise.resolve(onPage(page))
    const hasMoved = page.checkpoint !== checkpoint
    ;({ checkpoint, epoch } = page)
    if (!page.more || !hasMoved) {
      await writing
      return { kind: 'pulled', epoch, version: page.version, checkpoint, head: page.head }
    }
    // Awaited after the next page; until then a rejection would count as unhandled.
    writing.catch(() => undefined)
  }
}
