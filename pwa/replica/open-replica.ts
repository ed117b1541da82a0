import { liveQuery } from 'dexie'
import { collections, collectionScope, type Collection, type Scope } from '#shared/api/replication.ts'
import { call } from '../api/call.ts'
import { reachability } from '../api/reachability.ts'
import { outboxStore, replayer } from '../outbox/opened-outbox.ts'
import { acknowledgedAmong, settle } from '../outbox/settle.ts'
import { followCollection, type CollectionSync } from './collection-sync.ts'
import { followLiveStream, type LiveStream } from './live-stream.ts'
import { pendingEntries } from './pending-entries.ts'
import { openReplicaDatabase, watchDocuments } from './replica-db.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { forgetSyncMeta, readSyncMeta, writeSyncMeta, type SyncMeta } from './sync-meta.ts'
import { takeTurns } from './take-turns.ts'

/** The replica of one account while it is open in this tab. */
export interface OpenReplica {
  /** The session is good again: pulling goes on at once. */
  resume(): void
  /** Asks the server for everything new, in this tab. @returns whether all of it is here now */
  pull(): Promise<boolean>
  /** Stops following and closes; the documents stay on disk. */
  close(): Promise<void>
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** Longer than one page may take. */
const pullPatienceMs = 30_000

/** Opens an account's replica, shows what is on disk, and follows the server in one of the tabs. */
export async function openReplica(userId: number): Promise<OpenReplica> {
  let closed = false
  let running: Running | null = null
  let wakeUp = () => {}

  const show = (part: Partial<ReplicaState>) => {
    const state = replicaState.get()
    if (!closed && state.userId === userId) replicaState.set({ ...state, ...part })
  }

  /** The server's lifetime, from disk or, the first time, from the server. */
  async function findMeta(): Promise<SyncMeta | null> {
    const known = await readSyncMeta(userId)
    if (known) return known
    for (let waitMs = firstRetryMs; !closed; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        const { checkpoint } = await call('pull', { query: { collection: 'account', limit: 1 } })
        return { userId, epoch: checkpoint.epoch, heads: {}, asOf: null }
      } catch {
        await new Promise<void>((resolve) => {
          wakeUp = resolve
          setTimeout(resolve, waitMs)
        })
      }
    }
    return null
  }

  async function start(): Promise<void> {
    const meta = await findMeta()
    if (closed || !meta) return
    const opened = await run(userId, meta, show, () => void reset().catch(() => undefined))
    if (closed) await opened.close()
    else running = opened
  }

  /** The server lives another life than this copy: the copy goes, what is queued stays, and everything is pulled again. */
  async function reset(): Promise<void> {
    const old = running
    running = null
    await old?.close()
    await forgetSyncMeta(userId)
    show({ status: 'loading', epoch: undefined, asOf: null, appliedVersion: 0 })
    await start()
  }

  await start().catch(async () => {
    // IndexedDB dies now and then in an app that was in the background; once more usually works.
    await running?.close().catch(() => undefined)
    running = null
    if (!closed) await start()
  })

  return {
    resume() {
      wakeUp()
      running?.resume()
    },
    async pull() {
      wakeUp()
      return (await running?.pull()) ?? false
    },
    async close() {
      closed = true
      wakeUp()
      await running?.close()
    },
  }
}

interface Running {
  resume(): void
  pull(): Promise<boolean>
  close(): Promise<void>
}

async function run(
  userId: number,
  meta: SyncMeta,
  show: (part: Partial<ReplicaState>) => void,
  onReset: () => void,
): Promise<Running> {
  const { epoch } = meta
  const database = await openReplicaDatabase(userId, epoch)
  const heads = new Map<Collection, number>()
  /** By collection of the organizer's scope: what was acknowledged before its newest finished pull began. */
  const seenBefore = new Map<Collection, ReadonlySet<number>>()
  let stream: LiveStream | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let closed = false

  const isComplete = () => collections.every((name) => heads.has(name))
  const appliedVersion = () =>
    Math.min(...collections.filter((name) => collectionScope[name] === 'org').map((name) => heads.get(name) ?? 0))

  const stops = [
    await watchDocuments(database.collections.events, (events) => show({ events })),
    await watchDocuments(database.collections.applications, (applications) => show({ applications })),
    await watchDocuments(database.collections.account, ([account]) => show({ account: account ?? null })),
  ]
  // Everyone has an account document: without it this database is new, or was thrown away, and how far another had come says nothing.
  const follow = (written: SyncMeta) => {
    const { account, userId: shown } = replicaState.get()
    const isKept = account !== null && shown === userId
    if (isKept)
      for (const [name, head] of Object.entries(written.heads) as [Collection, number][])
        heads.set(name, Math.max(head, heads.get(name) ?? 0))
    show({
      status: isComplete() ? 'ready' : 'loading',
      epoch,
      asOf: isKept ? written.asOf : null,
      appliedVersion: appliedVersion(),
    })
  }
  follow(meta)

  const settleNow = async () => {
    const state = replicaState.get()
    if (closed || state.userId !== userId) return
    const versions = { events: versionsOf(state.events), applications: versionsOf(state.applications) }
    await settle({ store: outboxStore, wake: replayer.wake }, userId, {
      epoch,
      appliedVersion: appliedVersion(),
      versionOf: (collection, key) => versions[collection]().get(key),
      pulledSince: inAll(collectionsOf('org').map((name) => seenBefore.get(name) ?? nobody)),
    })
  }

  const upToDate = () => {
    const asOf = new Date().toISOString()
    show({ status: isComplete() ? 'ready' : 'loading', asOf, appliedVersion: appliedVersion() })
    return writeSyncMeta({ userId, epoch, heads: Object.fromEntries(heads), asOf })
  }

  const retryLater = () => {
    clearTimeout(retryTimer)
    if (closed) return
    failures += 1
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures) * (0.5 + Math.random() / 2)
    retryTimer = setTimeout(resyncAll, waitMs)
  }

  const syncs = new Map<Collection, CollectionSync>()
  const resyncAll = () => syncs.forEach((sync) => sync.resync())
  const watchers = new Set<(name: Collection, arrived: boolean) => void>()
  const tell = (name: Collection, arrived: boolean) => watchers.forEach((watcher) => watcher(name, arrived))

  const followServer = () => {
    for (const name of collections) {
      let asked: ReadonlySet<number> = nobody
      syncs.set(
        name,
        followCollection(name, database.collections[name] as never, epoch, {
          onAsk: () => {
            asked = acknowledgedAmong(pendingEntries.get().account, userId)
          },
          onWritten: (_, head) => {
            failures = 0
            heads.set(name, head)
            seenBefore.set(name, asked)
            void upToDate()
              .then(settleNow)
              .catch(() => undefined)
            tell(name, true)
          },
          onMissed: (_, { kind }) => {
            if (kind === 'reset') onReset()
            // A session that ended and an app that is too old wait for a person; the rest is a matter of time.
            else if (kind === 'unreachable') retryLater()
            tell(name, false)
          },
        }),
      )
    }
    stream = followLiveStream({
      onOpen: () => void replayer.wake('stream-opened').catch(() => undefined),
      onResync: resyncAll,
      onPoke: (scope, version) => {
        const behind = collectionsOf(scope).filter((name) => (heads.get(name) ?? -1) < version)
        for (const name of behind) syncs.get(name)?.resync()
        if (behind.length === 0) void upToDate().catch(() => undefined)
      },
    })
  }

  /** A replication that begins again must not meet its own end. */
  let ended: Promise<unknown> = Promise.resolve()
  const leaveServer = () => {
    clearTimeout(retryTimer)
    stream?.close()
    stream = null
    const stopping = [...syncs.values()].map((sync) => sync.stop())
    syncs.clear()
    ended = Promise.allSettled([ended, ...stopping])
  }

  const turns = takeTurns({
    name: `beaconry-replica-${userId}`,
    onTurn: () => void ended.then(() => closed || !turns.isLeading() || syncs.size > 0 || followServer()),
    onLost: leaveServer,
  })

  // Other tabs learn from the leading one how far it has come.
  const following = liveQuery(() => readSyncMeta(userId)).subscribe({
    next: (written) => {
      if (written && written.epoch === epoch && !turns.isLeading()) follow(written)
    },
    error: () => undefined,
  })

  const reopen = () => {
    if (document.visibilityState === 'visible') stream?.reopen()
  }
  // Another call got through: what waits for its next try need not wait.
  const stopReaching = reachability.subscribe(() => {
    if (reachability.get() !== 'reachable' || !stream) return
    clearTimeout(retryTimer)
    resyncAll()
    if (stream.isWaiting()) stream.reopen()
  })
  // The server took a change: its document is fetched at once, whatever the stream is doing. Once per version: the queue changes
  // many times while hundreds of changes leave.
  let fetchedFor = 0
  const stopSent = pendingEntries.subscribe(() => {
    const newest = Math.max(0, ...pendingEntries.get().account.map(({ acknowledged }) => acknowledged?.version ?? 0))
    if (newest <= appliedVersion() || newest <= fetchedFor) return
    fetchedFor = newest
    for (const name of collectionsOf('org')) syncs.get(name)?.resync()
  })
  document.addEventListener('visibilitychange', reopen)
  addEventListener('pageshow', reopen)
  addEventListener('online', reopen)

  return {
    resume() {
      failures = 0
      resyncAll()
      stream?.reopen()
    },
    pull() {
      failures = 0
      return new Promise((resolve) => {
        const missing = new Set(collections)
        const end = (arrived: boolean) => {
          clearTimeout(impatience)
          watchers.delete(watch)
          resolve(arrived)
        }
        const watch = (name: Collection, arrived: boolean) => {
          missing.delete(name)
          if (!arrived || missing.size === 0) end(arrived)
        }
        const impatience = setTimeout(() => end(false), pullPatienceMs)
        watchers.add(watch)
        if (turns.isLeading()) {
          resyncAll()
          stream?.reopen()
        } else turns.take()
      })
    },
    async close() {
      closed = true
      turns.close()
      clearTimeout(retryTimer)
      document.removeEventListener('visibilitychange', reopen)
      removeEventListener('pageshow', reopen)
      removeEventListener('online', reopen)
      stopReaching()
      stopSent()
      leaveServer()
      following.unsubscribe()
      for (const stop of stops) stop()
      await database.close()
    },
  }
}

const collectionsOf = (scope: Scope) => collections.filter((name) => collectionScope[name] === scope)

const nobody: ReadonlySet<number> = new Set()

/** Only when every collection was asked after the acknowledgement does its absence mean anything. */
function inAll([first, ...others]: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set([...(first ?? nobody)].filter((seq) => others.every((other) => other.has(seq))))
}

/** Made when first asked for: settling asks only when something waits. */
function versionsOf(
  documents: readonly { readonly key: string; readonly version: number }[],
): () => ReadonlyMap<string, number> {
  let made: ReadonlyMap<string, number> | undefined
  return () => (made ??= new Map(documents.map(({ key, version }) => [key, version])))
}
