import { liveQuery } from 'dexie'
import { collections, type Collection } from '#shared/api/replication.ts'
import { outboxStore, replayer } from '../outbox/opened-outbox.ts'
import { settle } from '../outbox/settle.ts'
import { followServer, type Following } from './follow-server.ts'
import { createProgress } from './progress.ts'
import { openReplicaDatabase, watchDocuments } from './replica-db.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { readSyncMeta, writeSyncMeta, type SyncMeta } from './sync-meta.ts'
import { takeTurns } from './take-turns.ts'

/** The replica of one account and one lifetime of the server, shown and kept up to date. */
export interface RunningReplica {
  /** The session is good again: pulling goes on at once. */
  resume(): void
  /** @returns whether everything the server has is here now */
  pull(): Promise<boolean>
  close(): Promise<void>
}

/** Longer than one page may take. */
const pullPatienceMs = 30_000

/**
 * Opens the replica's database, shows what is in it, and follows the server whenever it is this tab's turn.
 * @param meta how far this device had come
 * @param onReset the server lives another life than this copy
 */
export async function runReplica(
  userId: number,
  meta: SyncMeta,
  show: (part: Partial<ReplicaState>) => void,
  onReset: () => void,
): Promise<RunningReplica> {
  const { epoch } = meta
  const database = await openReplicaDatabase(userId, epoch)
  const progress = createProgress()
  let following: Following | null = null
  let closed = false

  const status = () => (progress.isComplete() ? 'ready' : 'loading')
  const stops = await Promise.all([
    watchDocuments(database.collections.events, (events) => show({ events })),
    watchDocuments(database.collections.applications, (applications) => show({ applications })),
    watchDocuments(database.collections.account, ([account]) => show({ account: account ?? null })),
  ])
  // Everyone has an account document: without it this database is new, or was thrown away, and how far another had come says nothing.
  const follow = (written: SyncMeta) => {
    const { account, userId: shown } = replicaState.get()
    const isKept = account !== null && shown === userId
    if (isKept) progress.follow(written.heads)
    show({
      status: status(),
      epoch,
      asOf: isKept ? written.asOf : null,
      appliedVersion: progress.appliedVersion(),
    })
  }
  follow(meta)

  const settleNow = async () => {
    const state = replicaState.get()
    if (closed || state.userId !== userId) return
    const versions = { events: versionsOf(state.events), applications: versionsOf(state.applications) }
    await settle({ store: outboxStore, wake: replayer.wake }, userId, {
      epoch,
      appliedVersion: progress.appliedVersion(),
      versionOf: (collection, key) => versions[collection]().get(key),
      pulledSince: progress.pulledSince(),
    })
  }

  const onProgress = () => {
    const asOf = new Date().toISOString()
    show({ status: status(), asOf, appliedVersion: progress.appliedVersion() })
    void writeSyncMeta({ userId, epoch, heads: progress.heads(), asOf })
      .then(settleNow)
      .catch(() => undefined)
  }

  const watchers = new Set<(name: Collection, arrived: boolean) => void>()

  /** A following that begins again must not meet its own end. */
  let ended: Promise<unknown> = Promise.resolve()
  const leaveServer = () => {
    const stopping = following?.stop()
    following = null
    ended = Promise.allSettled([ended, stopping])
  }
  const beginFollowing = () => {
    if (closed || following || !turns.isLeading()) return
    following = followServer({
      userId,
      epoch,
      collections: database.collections,
      progress,
      onProgress,
      onPulled: (name, arrived) => watchers.forEach((watcher) => watcher(name, arrived)),
      onReset,
    })
  }

  const turns = takeTurns({
    name: `beaconry-replica-${userId}`,
    onTurn: () => void ended.then(beginFollowing),
    onLost: leaveServer,
  })

  // Other tabs learn from the leading one how far it has come.
  const reading = liveQuery(() => readSyncMeta(userId)).subscribe({
    next: (written) => {
      if (written && written.epoch === epoch && !turns.isLeading()) follow(written)
    },
    error: () => undefined,
  })

  const reopen = () => {
    if (document.visibilityState === 'visible') following?.reopen()
  }
  document.addEventListener('visibilitychange', reopen)
  addEventListener('pageshow', reopen)
  addEventListener('online', reopen)

  const resume = () => {
    following?.resync()
    following?.reopen()
  }

  return {
    resume,
    pull() {
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
        if (turns.isLeading()) resume()
        else turns.take()
      })
    },
    async close() {
      closed = true
      turns.close()
      document.removeEventListener('visibilitychange', reopen)
      removeEventListener('pageshow', reopen)
      removeEventListener('online', reopen)
      leaveServer()
      reading.unsubscribe()
      for (const stop of stops) stop()
      await database.close()
    },
  }
}

/** Made when first asked for: settling asks only when something waits. */
function versionsOf(
  documents: readonly { readonly key: string; readonly version: number }[],
): () => ReadonlyMap<string, number> {
  let made: ReadonlyMap<string, number> | undefined
  return () => (made ??= new Map(documents.map(({ key, version }) => [key, version])))
}
