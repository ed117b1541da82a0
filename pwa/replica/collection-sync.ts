import type { RxCollection } from 'rxdb'
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication'
import { Subject } from 'rxjs'
import type { Checkpoint, Collection } from '#shared/api/replication.ts'
import { Broken, call, Refused } from '../api/call.ts'
import { pullAll, type PageAnswer, type PullOutcome } from './pull.ts'
import { parsePage, type Documents } from './replica-schema.ts'

/** What one collection reports while it follows the server. */
export interface PullNews {
  /** A pull begins. */
  onAsk(): void | Promise<void>
  /** Everything up to `head` is written into the collection. */
  onWritten(collection: Collection, head: number): void
  /** A pull that brought nothing, and why. */
  onMissed(collection: Collection, outcome: Exclude<PullOutcome<never>, { kind: 'pulled' }>): void
}

export interface CollectionSync {
  /** Pulls again; several at once become one. */
  resync(): void
  stop(): Promise<void>
}

/** More than any pull brings: RxDB then takes a pull as one batch (its own checking of half batches took seconds per poke). */
const everything = 1_000_000

/** An answer that was longer under way than a call may take was slept over: another tab may have written newer documents. */
const sleptOverMs = 20_000

/**
 * Keeps a collection equal to what the server says; only the tab that leads does. Never rejects: RxDB would ask again at a fixed
 * pace whatever the reason, so every outcome but a success is reported and answered to RxDB as "nothing new".
 * @param epoch the server's lifetime the database was made for; another one is a reset
 */
export function followCollection<C extends Collection>(
  name: C,
  collection: RxCollection<Documents[C]>,
  epoch: string,
  news: PullNews,
): CollectionSync {
  const stream$ = new Subject<'RESYNC'>()
  let toCommit: number | null = null
  let stopped = false

  const state: RxReplicationState<Documents[C], Checkpoint> = replicateRxCollection<Documents[C], Checkpoint>({
    replicationIdentifier: `beaconry-${name}`,
    collection,
    deletedField: '_deleted',
    live: true,
    waitForLeadership: false,
    toggleOnDocumentVisible: false,
    pull: {
      batchSize: everything,
      stream$: stream$.asObservable(),
      handler: async (last) => {
        await news.onAsk()
        const outcome: PullOutcome<Documents[C]> = stopped
          ? { kind: 'unreachable' }
          : await pullCollection(name, last, epoch)
        if (stopped) return { documents: [], checkpoint: last }
        if (outcome.kind !== 'pulled') {
          news.onMissed(name, outcome)
          return { documents: [], checkpoint: last }
        }
        toCommit = outcome.head
        return { documents: outcome.documents as never[], checkpoint: outcome.checkpoint }
      },
    },
  })
  const committing = state.active$.subscribe((active) => {
    if (active || toCommit === null) return
    const head = toCommit
    toCommit = null
    news.onWritten(name, head)
  })

  return {
    resync: () => stream$.next('RESYNC'),
    async stop() {
      stopped = true
      committing.unsubscribe()
      await state.cancel()
    },
  }
}

/** One pull of a collection, over all its pages. Exported for its test. */
export async function pullCollection<C extends Collection>(
  name: C,
  checkpoint: Checkpoint | undefined,
  epoch: string,
): Promise<PullOutcome<Documents[C]>> {
  let askedAt = Date.now()
  const outcome = await pullAll<Documents[C]>({
    checkpoint,
    fetchPage: (after, limit) => {
      askedAt = Date.now()
      return fetchPage(name, after, limit)
    },
    parsePage: (body) => parsePage(name, body),
  })
  if (Date.now() - askedAt > sleptOverMs) return { kind: 'unreachable' }
  return outcome.kind === 'pulled' && outcome.checkpoint.epoch !== epoch ? { kind: 'reset' } : outcome
}

/** One page as an answer with its status. @throws when there is no network */
async function fetchPage(collection: Collection, after: Checkpoint | undefined, limit: number): Promise<PageAnswer> {
  try {
    const body = await call('pull', {
      query: { collection, limit, ...(after ? { epoch: after.epoch, version: after.version } : {}) },
    })
    return { status: 200, isOurs: true, body }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, isOurs: true, body: error.problem }
    if (error instanceof Broken) return { status: error.status, isOurs: true, body: undefined }
    throw error
  }
}
