import type { Scope } from '#shared/sync/collections.ts'
import { call, type Sender } from '../sync/http/call.ts'
import { browserTimers } from '../sync/queue/store/browser-outbox.ts'
import { newKey } from '../sync/queue/new-key.ts'
import { createOutbox } from '../sync/queue/enqueue.ts'
import type { Entry } from '../sync/queue/entry.ts'
import { createFetchTransport } from '../sync/drain/transport.ts'
import { decideApplication } from '../sync/queue/mutations/decide-application.ts'
import { createReplayer } from '../sync/drain/replay.ts'
import { acknowledgedAmong, settle } from '../sync/drain/settle.ts'
import { createContexts } from '../sync/testing/contexts.ts'
import { createDisk, createMemoryStore } from '../sync/testing/memory-store.ts'
import { openLiveStream, pullScope } from '../sync/replica/collection-sync.ts'
import { followServer, type Following } from '../sync/follow/follow-server.ts'
import { createProgress } from '../sync/follow/progress.ts'
import type { PullEnd } from '../sync/follow/pull.ts'
import { approvalOf } from './approval.ts'

/** One device: the app's follower and its queue, without a screen and without a disk. */
export interface Device {
  /** Resolves when it has begun to follow: when the server has said which epoch it is in. */
  start(): Promise<void>
  /** The stream is open and the server has spoken on it. */
  isLive(): boolean
  /** When it became live last, by `performance.now()`. */
  liveSince(): number
  approve(about: { readonly eventId: number; readonly applicationId: number }): Promise<void>
  /** The queue as it is now. */
  entries(): readonly Entry[]
  /** How many of its changes wait for a person because the server refused them. */
  refused(): number
  close(): void
}

/** @param as runs something as this device: everything it starts is sent in its name */
export function openDevice(sender: Sender & { readonly account: number }, as: <T>(run: () => T) => T): Device {
  const userId = sender.account
  const disk = createDisk()
  const store = createMemoryStore(disk)
  const progress = createProgress()
  const versions = { events: new Map<string, number>(), applications: new Map<string, number>() }
  const checkpoints = new Map<Scope, string>()
  let epoch: string | undefined
  let following: Following | undefined
  let isLive = false
  let liveSince = NaN
  let isClosed = false

  const replayer = createReplayer({
    store,
    transport: createFetchTransport(async () => ({ id: sender.deviceId, name: sender.deviceName })),
    leader: createContexts(browserTimers).open().leader,
    timers: browserTimers,
    now: Date.now,
    random: Math.random,
    onNews: ({ type }) => {
      if (type !== 'reachable') return
      following?.retrySoon()
      if (disk.entries.some(({ state }) => state === 'acknowledged')) following?.fetchSoon()
    },
  })
  const wake = (reason: Parameters<typeof replayer.wake>[0]) => as(() => void replayer.wake(reason))
  const outbox = createOutbox({ store, now: Date.now, newKey, wake, cancel: async () => 'unknown' })

  /** The app asks again too, after a moment. */
  async function firstEpoch(): Promise<string> {
    for (;;) {
      try {
        return (await call('pull', { query: { scope: 'account', limit: 1 } })).epoch
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
  }

  async function pull(scope: Scope, signal: AbortSignal, acknowledged: readonly string[]): Promise<PullEnd> {
    if (epoch === undefined) return { kind: 'unreachable' }
    return await pullScope(scope, { epoch, checkpoint: checkpoints.get(scope), acknowledged }, signal, async (page) => {
      epoch = page.epoch
      checkpoints.set(scope, page.checkpoint)
      for (const { collection, document } of page.documents) {
        if (collection === 'account') continue
        if ('_deleted' in document) versions[collection].delete(document.key)
        else versions[collection].set(document.key, document.version)
      }
    }).catch((): PullEnd => ({ kind: 'unreachable' }))
  }

  const onProgress = () =>
    void settle(
      { store, wake },
      userId,
      {
        epoch,
        appliedVersion: progress.appliedVersion(),
        versionOf: (collection, key) => versions[collection].get(key),
        pulledSince: progress.pulledSince(),
        hasPassed: progress.hasPassed,
      },
      Date.now(),
    )

  return {
    start: () =>
      as(async () => {
        epoch = await firstEpoch()
        following = followServer({
          progress,
          pull,
          openStream: async (signal) => {
            isLive = false
            const opened = await openLiveStream(signal)
            if (opened.kind !== 'open') return opened
            return { kind: 'open', pieces: noticingItsEnd(opened.pieces, () => (isLive = false)) }
          },
          timers: browserTimers,
          now: () => performance.now(),
          random: Math.random,
          isVisible: () => true,
          acknowledged: () => acknowledgedAmong(disk.entries, userId, epoch),
          onLive: () => {
            liveSince = performance.now()
            isLive = true
            wake('stream-opened')
          },
          onProgress,
          onPulled: () => undefined,
          onReset: ({ reason }) => {
            if (!isClosed) throw new Error(`a device was told to begin anew: ${reason}`)
          },
        })
      }),
    isLive: () => isLive,
    liveSince: () => liveSince,
    approve: ({ eventId, applicationId }) =>
      as(async () => {
        await outbox.enqueue(decideApplication, approvalOf({ eventId }, applicationId), { userId })
      }),
    entries: () => disk.entries,
    refused: () => disk.entries.filter(({ state }) => state === 'parked').length,
    close() {
      isClosed = true
      replayer.stop()
      void following?.stop()
    },
  }
}

/** The same pieces; tells when there are no more, however that came. */
async function* noticingItsEnd(pieces: AsyncIterable<string>, onEnd: () => void): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    onEnd()
  }
}
