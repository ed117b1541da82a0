import { isProblem } from '#shared/api/problem.ts'
import type { Checkpoint, Tombstone } from '#shared/api/replication.ts'

/** One page of the change feed as the server answers it. */
export interface Page<D> {
  readonly documents: readonly (D | Tombstone)[]
  readonly checkpoint: Checkpoint
  readonly head: number
}

/** What came back for one page, from whomever. */
export interface PageAnswer {
  readonly status: number
  /** The answer carries our server's mark (`X-Request-Id`). */
  readonly isOurs: boolean
  /** The parsed JSON; undefined when it was none. */
  readonly body: unknown
}

export type PullOutcome<D> =
  | {
      readonly kind: 'pulled'
      /** Each document once, in its newest version, sorted by key: what RxDB writes fastest. */
      readonly documents: (D | Tombstone)[]
      readonly checkpoint: Checkpoint
      /** Once these documents are written, the collection is complete up to this version of its scope. */
      readonly head: number
    }
  /** The checkpoint means nothing to the server: drop the replica, keep the outbox, begin anew. */
  | { readonly kind: 'reset' }
  /** The session ended (`isRevoked`: by its owner, from elsewhere). */
  | { readonly kind: 'signed-out'; readonly isRevoked: boolean }
  | { readonly kind: 'update-app' }
  | { readonly kind: 'unreachable' }

export interface PullTerms<D> {
  /** Asks for the page after a checkpoint; undefined = from the beginning. May throw when there is no network. */
  readonly fetchPage: (checkpoint: Checkpoint | undefined, limit: number) => Promise<PageAnswer>
  /** Answers undefined for what is not a page of the contract: it is not written anywhere. */
  readonly parsePage: (body: unknown) => Page<D> | undefined
  readonly checkpoint: Checkpoint | undefined
  /** Documents per page. A page shorter than this is the last one. */
  readonly limit?: number
}

const pageLimit = 2000

/** Why an answer is no page. */
function refusalOf(answer: PageAnswer): Exclude<PullOutcome<never>, { kind: 'pulled' }> {
  if (!answer.isOurs || !isProblem(answer.body)) return { kind: 'unreachable' }
  if (answer.status === 401) return { kind: 'signed-out', isRevoked: answer.body.code === 'session_revoked' }
  if (answer.status === 410) return { kind: 'reset' }
  if (answer.status === 426) return { kind: 'update-app' }
  return { kind: 'unreachable' }
}

/**
 * Everything that changed after a checkpoint, over as many pages as it takes. Nothing of a pull that breaks off is used:
 * the next one begins at the same checkpoint.
 */
export async function pullAll<D extends { readonly key: string; readonly version: number }>(
  terms: PullTerms<D>,
): Promise<PullOutcome<D>> {
  const { fetchPage, parsePage, limit = pageLimit } = terms
  const byKey = new Map<string, D | Tombstone>()
  let checkpoint = terms.checkpoint
  for (;;) {
    let answer: PageAnswer
    try {
      answer = await fetchPage(checkpoint, limit)
    } catch {
      return { kind: 'unreachable' }
    }
    if (answer.status !== 200 || !answer.isOurs) return refusalOf(answer)
    const page = parsePage(answer.body)
    if (!page) return { kind: 'unreachable' }
    if (checkpoint && page.checkpoint.epoch !== checkpoint.epoch) return { kind: 'reset' }
    // A document that changed between two pages comes twice: the later one is newer.
    for (const document of page.documents) byKey.set(document.key, document)
    const hasMoved = page.checkpoint.version > (checkpoint?.version ?? 0)
    checkpoint = page.checkpoint
    if (page.documents.length < limit || !hasMoved) {
      const documents = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      return { kind: 'pulled', documents, checkpoint, head: page.head }
    }
  }
}
