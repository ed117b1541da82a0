import { call } from '../api/call.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { runReplica, type RunningReplica } from './run-replica.ts'
import { forgetSyncMeta, readSyncMeta, type SyncMeta } from './sync-meta.ts'

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

/** Opens an account's replica, shows what is on disk, and follows the server in one of the tabs. */
export async function openReplica(userId: number): Promise<OpenReplica> {
  let closed = false
  let running: RunningReplica | null = null
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
    const opened = await runReplica(userId, meta, show, () => void reset().catch(() => undefined))
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
