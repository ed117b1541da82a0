import { liveQuery } from 'dexie'
import { scopes, type Scope } from '#shared/sync/collections.ts'
import { timings } from '../../browser/timings.ts'
import { noteAnswered, reachability } from '../http/reachability.ts'
import { serverNow } from '../http/server-time.ts'
import { browserTimers } from '../queue/store/browser-outbox.ts'
import { pruneSettled, usualKeepHours } from '../drain/offer-again.ts'
import { leader, outboxStore, replayer } from '../queue/store/opened-outbox.ts'
import { acknowledgedAmong, settle } from '../drain/settle.ts'
import { fetchFirstPages, openLiveStream, pullInto } from '../replica/collection-sync.ts'
import { followServer, type Following } from './follow-server.ts'
import { documentOf } from '../replica/fold.ts'
import { pendingEntries } from '../replica/pending-entries.ts'
import { actingOrganizer } from '../../browser/acting.ts'
import { createProgress, watchAcknowledged } from './progress.ts'
import type { Page, PullEnd } from './pull.ts'
import { openReplicaDatabase } from '../replica/replica-db.ts'
import { replicaState, type ReplicaState } from '../replica/replica-state.ts'
import { readSyncMeta, writeSyncMeta, type SyncMeta } from '../replica/sync-meta.ts'

export interface OpenReplica {
  resume(): void
  /** Pulls in this tab. @returns whether everything new is here */
  pull(): Promise<boolean>
  close(): Promise<void>
}

export interface RunningTerms {
  readonly show: (part: Partial<ReplicaState>) => void
  readonly onReset: (reset: Extract<PullEnd, { kind: 'reset' }>) => void
  readonly onReplaced: (copy: SyncMeta) => void
}

/** @param meta which copy, and how far this device had come */
export async function runReplica(meta: SyncMeta, { show, onReset, onReplaced }: RunningTerms): Promise<OpenReplica> {
  const { userId, team, epoch, copy } = meta
  const organizerId = actingOrganizer()
  // A damaged copy takes along what would show that the server went back: nothing settled is sure.
  const first = Object.keys(meta.heads).length === 0 ? fetchFirstPages() : undefined
  const beginAnew = () => onReset({ kind: 'reset', reason: 'history', epoch })
  const database = await openReplicaDatabase(meta, beginAnew)
  const progress = createProgress()
  let following: Following | null = null
  let closed = false
  let keepSettledHours = meta.keepSettledHours
  let unreadable: ReadonlySet<string> = new Set(meta.unreadable)
  let pruned = false

  const status = () => (progress.isComplete() ? 'ready' : 'loading')
  let newestMeta = meta
  // Every account has a document: without it this database is new or thrown away, and another's progress says nothing.
  const follow = (written: SyncMeta) => {
    newestMeta = written
    const { account, userId: shown } = replicaState.get()
    const isKept = account !== null && shown === userId
    if (isKept) progress.follow(written.heads)
    keepSettledHours = written.keepSettledHours
    unreadable = new Set(written.unreadable)
    show({
      status: status(),
      epoch,
      asOf: isKept ? written.asOf : null,
      appliedVersion: progress.appliedVersion(),
      unreadable: unreadable.size,
    })
  }
  const stops = await Promise.all([
    database.watch('events', (events) => show({ events })),
    database.watch('applications', (applications) => show({ applications })),
    database.watch('account', ([account]) => {
      show({ account: account ?? null })
      // Another tab may have said how far it came before its documents were seen here.
      if (!progress.isComplete()) follow(newestMeta)
    }),
  ])
  follow(meta)

  const settleNow = async () => {
    const state = replicaState.get()
    if (closed || state.userId !== userId) return
    const view = {
      organizerId,
      epoch,
      appliedVersion: progress.appliedVersion(),
      versionOf: (collection: 'events' | 'applications', key: string) =>
        documentOf(state, { collection, key })?.version,
      pulledSince: progress.pulledSince(),
      hasPassed: progress.hasPassed,
    }
    await settle({ store: outboxStore, wake: replayer.wake }, userId, view, serverNow().getTime())
    // This waits until the server has shown that it goes on from where this copy was.
    if (pruned || !progress.isComplete() || !leaderTab.isLeading()) return
    pruned = true
    await pruneSettled(outboxStore, userId, keepSettledHours ?? usualKeepHours, serverNow().getTime())
  }

  const onProgress = () => {
    const asOf = serverNow().toISOString()
    show({ status: status(), asOf, appliedVersion: progress.appliedVersion(), unreadable: unreadable.size })
    void writeSyncMeta({
      userId,
      ...(team === undefined ? {} : { team }),
      epoch,
      copy,
      heads: progress.heads(),
      asOf,
      ...(unreadable.size === 0 ? {} : { unreadable: [...unreadable] }),
      ...(keepSettledHours === undefined ? {} : { keepSettledHours }),
    })
      .then(settleNow)
      .catch(() => undefined)
  }

  const watchers = new Set<(scope: Scope, arrived: boolean) => void>()
  const pulls = new Set<(arrived: boolean) => void>()

  /** A new following must not meet its own end. */
  let ended: Promise<unknown> = Promise.resolve()
  const leaveServer = () => {
    const stopping = following?.stop()
    following = null
    ended = Promise.allSettled([ended, stopping])
  }
  const beginFollowing = () => {
    if (closed || following || !leaderTab.isLeading()) return
    const account = () => pendingEntries.get().account
    const onPage: Parameters<typeof pullInto>[2] = (scope, page) => {
      keepSettledHours = page.keepSettledHours ?? keepSettledHours
      unreadable = unreadableAfter(unreadable, page)
      if (scope === 'org' && !progress.isComplete()) show({ copiedPercent: percentOf(page) })
    }
    const pull = pullInto(database, epoch, onPage, first)
    /** Above 0 while this tab asks: its own answers are no sign that others get through. */
    let asking = 0
    following = followServer({
      progress,
      pull: (scope, signal, acknowledged) => {
        asking += 1
        // An answer that was asked for before the server took a change proves nothing about it.
        if (account().length > 0) first?.clear()
        return pull(scope, signal, acknowledged).finally(() => setTimeout(() => (asking -= 1)))
      },
      openStream: openLiveStream,
      timers: browserTimers,
      now: () => performance.now(),
      random: Math.random,
      isVisible: () => document.visibilityState === 'visible',
      acknowledged: () => acknowledgedAmong(account(), userId, epoch, organizerId),
      onLive: () => {
        noteAnswered('stream')
        void replayer.wake('stream-opened').catch(() => undefined)
      },
      onProgress,
      onPulled: (scope, arrived) => watchers.forEach((watcher) => watcher(scope, arrived)),
      onReset,
    })
    const stopReaching = reachability.subscribe(() => {
      if (reachability.get() === 'reachable' && asking === 0) following?.retrySoon()
    })
    const lookForAcknowledged = watchAcknowledged({
      progress,
      fetchSoon: () => following?.fetchSoon(),
      settle: () => void settleNow().catch(() => undefined),
    })
    const stopSent = pendingEntries.subscribe(() => lookForAcknowledged(account()))
    const { stop } = following
    following.stop = async () => {
      stopReaching()
      stopSent()
      await stop()
    }
  }

  const leaderTab = leader.join({
    onElected: () => void ended.then(beginFollowing),
    onLost: leaveServer,
  })

  const reading = liveQuery(() => readSyncMeta(userId)).subscribe({
    next: (written) => {
      if (!written || closed || leaderTab.isLeading()) return
      if (written.copy === copy) follow(written)
      else onReplaced(written)
    },
    error: () => undefined,
  })

  const wake = () => {
    if (document.visibilityState === 'visible') following?.wake()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('pageshow', wake)
  addEventListener('online', wake)

  return {
    resume: () => following?.resync(),
    pull() {
      return new Promise((resolve) => {
        const missing = new Set(scopes)
        const end = (arrived: boolean) => {
          clearTimeout(impatience)
          watchers.delete(watch)
          pulls.delete(end)
          resolve(arrived)
        }
        const watch = (scope: Scope, arrived: boolean) => {
          missing.delete(scope)
          if (!arrived || missing.size === 0) end(arrived)
        }
        const impatience = setTimeout(() => end(false), timings.pullPatienceMs)
        watchers.add(watch)
        pulls.add(end)
        if (leaderTab.isLeading()) following?.resync()
        else leaderTab.takeOver()
      })
    },
    async close() {
      closed = true
      leaderTab.close()
      for (const giveUp of pulls) giveUp(false)
      document.removeEventListener('visibilitychange', wake)
      removeEventListener('pageshow', wake)
      removeEventListener('online', wake)
      leaveServer()
      reading.unsubscribe()
      for (const stop of stops) stop()
      await database.close()
    },
  }
}

/** Documents come in the order of their versions. */
const percentOf = ({ version, head }: { readonly version: number; readonly head: number }) =>
  head === 0 ? null : Math.min(99, Math.floor((100 * version) / head))

function unreadableAfter(
  before: ReadonlySet<string>,
  page: Pick<Page<{ readonly key: string }>, 'documents' | 'unreadable'>,
): ReadonlySet<string> {
  const named = page.unreadable ?? []
  if (before.size === 0 && named.length === 0) return before
  const after = new Set(before)
  for (const { collection, document } of page.documents) after.delete(`${collection}/${document.key}`)
  for (const name of named) after.add(name)
  return after
}
