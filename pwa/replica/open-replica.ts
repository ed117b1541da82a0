import { call } from '../api/call.ts'
import { serverNow } from '../api/server-time.ts'
import { offerAgain } from '../outbox/offer-again.ts'
import { outboxStore, replayer } from '../outbox/opened-outbox.ts'
import { waitAfter } from './ask-budget.ts'
import { offeredAgain } from './offered-again.ts'
import type { PullEnd } from './pull.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { runReplica, type RunningReplica } from './run-replica.ts'
import { readSyncMeta, writeSyncMeta, type SyncMeta } from './sync-meta.ts'

/** The replica of one account while it is open in this tab. */
export interface OpenReplica {
  /** The session is good again: pulling goes on at once. */
  resume(): void
  /** Asks the server for everything new, in this tab. @returns whether all of it is here now */
  pull(): Promise<boolean>
  /** Stops following and closes; the documents stay on disk. */
  close(): Promise<void>
}

type Reset = Extract<PullEnd, { kind: 'reset' }>

const longestRetryMs = 60_000
/** A copy that is begun anew again and again is begun more and more seldom. */
const longestResetWaitMs = 300_000
/** After so long without another one, a reset is the first again. */
const resetsForgottenMs = 600_000

/** Opens an account's replica, shows what is on disk, and follows the server in one of the tabs. */
export async function openReplica(userId: number): Promise<OpenReplica> {
  let closed = false
  let running: RunningReplica | null = null
  let copy: SyncMeta | null = null
  let resets = 0
  let lastResetAt = -Infinity
  let wakeUp = () => {}
  const closing = new AbortController()
  /** Copies are exchanged one after the other, whoever wishes it. */
  let exchange: Promise<unknown> = Promise.resolve()

  const show = (part: Partial<ReplicaState>) => {
    const state = replicaState.get()
    if (!closed && state.userId === userId) replicaState.set({ ...state, ...part })
  }
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wakeUp = resolve
      setTimeout(resolve, milliseconds)
    })

  /** The epoch a first copy is of. Undefined when the replica was closed meanwhile. */
  async function findEpoch(): Promise<string | undefined> {
    for (let failures = 1; !closed; failures += 1) {
      try {
        const { checkpoint } = await call('pull', {
          query: { collection: 'account', limit: 1 },
          signal: closing.signal,
        })
        return checkpoint.epoch
      } catch {
        if (!closed) await pause(waitAfter(failures, Math.random(), longestRetryMs))
      }
    }
    return undefined
  }

  /** @param known which copy to open; without it a first one, whose epoch the server says */
  async function start(known: SyncMeta | undefined): Promise<void> {
    let meta = known
    if (!meta) {
      const epoch = await findEpoch()
      if (epoch === undefined) return
      meta = { userId, epoch, heads: {}, asOf: null }
      await offerWhatIsForgotten(epoch)
    }
    if (closed) return
    copy = meta
    const opened = await runReplica(meta, {
      show,
      onReset: (reset) => exchangeLater(() => resetCopy(reset)),
      onReplaced: (newer) => exchangeLater(() => changeTo(newer)),
    })
    if (closed) await opened.close()
    else running = opened
  }

  /** What was settled in an epoch that is over may not be in this one. */
  async function offerWhatIsForgotten(epoch: string | undefined): Promise<void> {
    const offered = await offerAgain(outboxStore, userId, epoch, serverNow().getTime())
    if (offered > 0) offeredAgain.set(offeredAgain.get() + offered)
    if (offered > 0) void replayer.wake('stream-opened').catch(() => undefined)
  }

  async function changeTo(meta: SyncMeta | undefined): Promise<void> {
    const old = running
    running = null
    await old?.close()
    if (closed) return
    show({ status: 'loading', epoch: undefined, asOf: null, appliedVersion: 0 })
    await start(meta)
  }

  /** The copy cannot be continued: it goes, what is queued stays, and everything is pulled into a new one. */
  async function resetCopy({ reason, epoch }: Reset): Promise<void> {
    const now = performance.now()
    resets = now - lastResetAt > resetsForgottenMs ? 0 : resets
    if (resets > 0) await pause(waitAfter(resets, Math.random(), longestResetWaitMs))
    if (closed) return
    resets += 1
    lastResetAt = performance.now()
    // Versions of another history may look like those this one gave out: nothing that was settled is sure any more.
    if (reason === 'history') await offerWhatIsForgotten(undefined)
    const begun =
      epoch === undefined
        ? undefined
        : { userId, epoch, generation: (copy?.generation ?? 0) + 1, heads: {}, asOf: null }
    if (begun) await writeSyncMeta(begun)
    await changeTo(begun)
  }

  function exchangeLater(change: () => Promise<void>): void {
    exchange = exchange.then(change).catch(() => undefined)
  }

  const known = await readSyncMeta(userId)
  const opening = start(known).catch(async () => {
    // What was opened may have died before it was read; once more usually works.
    await running?.close().catch(() => undefined)
    running = null
    if (!closed) await start(known)
  })
  const opened = opening.catch(() => undefined)
  exchange = opened
  // Without a copy on this device it waits for the server's first answer, and whoever signs out must not wait with it.
  if (known) await opening

  return {
    resume() {
      wakeUp()
      running?.resume()
    },
    async pull() {
      wakeUp()
      await opened
      return (await running?.pull()) ?? false
    },
    async close() {
      closed = true
      closing.abort()
      wakeUp()
      await opened
      const old = running
      running = null
      await old?.close()
    },
  }
}
