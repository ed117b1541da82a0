import { collections, type Collection } from '#shared/api/replication.ts'
import { replayer } from '../outbox/opened-outbox.ts'
import { acknowledgedAmong } from '../outbox/settle.ts'
import { reachability } from '../api/reachability.ts'
import { followCollection, type CollectionSync } from './collection-sync.ts'
import { followLiveStream } from './live-stream.ts'
import { pendingEntries } from './pending-entries.ts'
import { collectionsOf, type Progress } from './progress.ts'
import type { ReplicaCollections } from './replica-db.ts'

/** A tab that keeps the replica equal to what the server says, until it stops. */
export interface Following {
  /** Pulls everything again, now. */
  resync(): void
  /** Opens the live stream again, which may be dead without knowing. */
  reopen(): void
  stop(): Promise<unknown>
}

export interface FollowingTerms {
  readonly userId: number
  readonly epoch: string
  readonly collections: ReplicaCollections
  readonly progress: Progress
  /** Something is written, or known to be complete up to a later version. */
  readonly onProgress: () => void
  /** A pull ended: everything of the collection arrived, or not. */
  readonly onPulled: (name: Collection, arrived: boolean) => void
  /** The server lives another life than the copy. */
  readonly onReset: () => void
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** While so many changes are on their way, what they cause is pulled in few pieces, not in one per answer. */
const manyChanges = 20
const longestDelayMs = 300

/** Follows the server: the live stream says what changed, pulls bring it, failures are tried again. */
export function followServer({ userId, epoch, progress, ...terms }: FollowingTerms): Following {
  const syncs = new Map<Collection, CollectionSync>()
  const due = new Set<Collection>()
  let dueTimer: ReturnType<typeof setTimeout> | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false

  const resyncAll = () => {
    failures = 0
    clearTimeout(retryTimer)
    syncs.forEach((sync) => sync.resync())
  }

  const retryLater = () => {
    clearTimeout(retryTimer)
    if (stopped) return
    failures += 1
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures) * (0.5 + Math.random() / 2)
    retryTimer = setTimeout(() => syncs.forEach((sync) => sync.resync()), waitMs)
  }

  const pullDue = () => {
    clearTimeout(dueTimer)
    dueTimer = undefined
    for (const name of due) syncs.get(name)?.resync()
    due.clear()
  }
  const areManyLeaving = () =>
    pendingEntries.get().account.filter(({ state }) => state === 'sending').length >= manyChanges
  const pullSoon = (names: readonly Collection[]) => {
    for (const name of names) due.add(name)
    if (!areManyLeaving()) pullDue()
    else dueTimer ??= setTimeout(pullDue, longestDelayMs)
  }

  for (const name of collections) {
    let asked: ReadonlySet<number> = new Set()
    const sync = followCollection(name, terms.collections[name] as never, epoch, {
      onAsk: () => {
        asked = acknowledgedAmong(pendingEntries.get().account, userId)
      },
      onWritten: (_, head) => {
        failures = 0
        progress.pulled(name, head, asked)
        terms.onProgress()
        terms.onPulled(name, true)
      },
      onMissed: (_, { kind }) => {
        if (kind === 'reset') terms.onReset()
        // A session that ended and an app that is too old wait for a person; the rest is a matter of time.
        else if (kind === 'unreachable') retryLater()
        terms.onPulled(name, false)
      },
    })
    syncs.set(name, sync)
  }

  /** What was acknowledged without a version is settled by pulls alone: then a poke's word is not enough. */
  const needsPulls = () =>
    pendingEntries.get().account.some(({ acknowledged }) => acknowledged !== undefined && acknowledged.version === null)

  const stream = followLiveStream({
    onOpen: () => void replayer.wake('stream-opened').catch(() => undefined),
    onResync: resyncAll,
    onPoke: (poke) => {
      const { scope, version } = poke
      const behind = progress.heard(needsPulls() ? { scope, version } : poke)
      if (behind.length === 0) terms.onProgress()
      else pullSoon(behind)
    },
  })

  // Another call got through: what waits for its next try need not wait.
  const stopReaching = reachability.subscribe(() => {
    if (reachability.get() !== 'reachable') return
    clearTimeout(retryTimer)
    syncs.forEach((sync) => sync.resync())
    if (stream.isWaiting()) stream.reopen()
  })
  // The server took a change: its document is fetched at once, whatever the stream is doing. Once per version: the queue changes
  // many times while hundreds of changes leave.
  let fetchedFor = 0
  const stopSent = pendingEntries.subscribe(() => {
    if (dueTimer !== undefined && !areManyLeaving()) pullDue()
    const newest = Math.max(0, ...pendingEntries.get().account.map(({ acknowledged }) => acknowledged?.version ?? 0))
    if (newest <= progress.appliedVersion() || newest <= fetchedFor) return
    fetchedFor = newest
    pullSoon(collectionsOf('org'))
  })

  return {
    resync: resyncAll,
    reopen: stream.reopen,
    async stop() {
      stopped = true
      clearTimeout(retryTimer)
      clearTimeout(dueTimer)
      stopReaching()
      stopSent()
      stream.close()
      await Promise.allSettled([...syncs.values()].map((sync) => sync.stop()))
    },
  }
}
