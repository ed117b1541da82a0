import { shortestWait } from './claim.ts'
import { createDrainer } from './drain.ts'
import { drainAlone } from './drain-alone.ts'
import type { OutboxStore } from '../store/outbox-store.ts'
import { createRequestWatch } from './request-watch.ts'
import type { Transport } from './transport.ts'

/** What makes the queue try. Every one of them alone is enough. */
export type WakeReason =
  | 'enqueue'
  | 'page-start'
  | 'online'
  | 'visible'
  | 'stream-opened'
  | 'timer'
  | 'sync'
  | 'activate'
  | 'push'
  | 'sign-in'
  /** Another page or the worker was woken while this one may be sending. */
  | 'elsewhere'

/** One lock per device. `hold` waits in line; with `steal` it takes the lock from whoever has it. */
export interface Locks {
  hold(body: () => Promise<void>, options: { readonly steal: boolean; readonly signal: AbortSignal }): Promise<void>
}

export interface Timers {
  /** Calls back after a number of milliseconds. @returns a function that calls it off */
  after(milliseconds: number, callback: () => void): () => void
}

/** What a drainer tells those who want to know. */
export type ReplayNews =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'update-needed' }
  | { readonly type: 'storage-failed'; readonly error: unknown }
  | { readonly type: 'sign-in-needed'; readonly account: number | null }

export interface ReplayerDependencies {
  readonly store: OutboxStore
  readonly transport: Transport
  readonly locks: Locks
  readonly timers: Timers
  readonly now: () => number
  /** 0–1, to spread phones that failed together. */
  readonly random: () => number
  /** A new uuid. */
  readonly newKey: () => string
  /** Names this page or worker among the device's. */
  readonly owner: string
  readonly onNews?: (news: ReplayNews) => void
  /** Tells the device's other pages and its worker that there is reason to try. */
  readonly tellOthers?: () => void
}

/** How a round of sending ended, and how many milliseconds until something could be sent by itself (undefined = nothing waits). */
export interface DrainReport {
  readonly end: 'drained' | 'unreachable' | 'update-needed' | 'lost-lock' | 'storage-failed'
  readonly waitingMs: number | undefined
}

export interface Replayer {
  /** Tries to send what is queued. Resolves when the round that this caused has ended; never rejects for the network's sake. */
  wake(reason: WakeReason): Promise<DrainReport>
  /** Ends timers and gives up a request on its way; what it carried is found and sent again by the next drainer. */
  stop(): void
}

/** A page or worker that starts, and what neither a session that is over nor an app that is too old could bring about. */
const newBeginnings: ReadonlySet<WakeReason> = new Set(['page-start', 'activate', 'stream-opened', 'sign-in'])

const second = 1000
const timerMs = 30 * second

/** What decides when the queue tries: one round at a time, one more for whatever happened meanwhile, and timers. */
export function createReplayer(deps: ReplayerDependencies): Replayer {
  const { store, now, timers } = deps
  let running: Promise<DrainReport> | undefined
  let again = false
  let triggered = false
  let resumes = false
  let stopped = false
  let waitsForUpdate = false
  let rounds = 0
  let callOffTimer = () => {}
  const watch = createRequestWatch(timers, now)
  const takeHopes = () => {
    const hopes = { triggered, resumes }
    triggered = false
    resumes = false
    return hopes
  }
  const drainer = createDrainer(deps, watch, takeHopes, () => stopped)

  async function round(): Promise<DrainReport> {
    try {
      const owner = `${deps.owner}:${++rounds}`
      const end = await drainAlone({ ...deps, onLost: watch.abort }, owner, drainer.drain)
      const { result: waitingMs } = await store.change('all', ({ entries, account }) => ({
        result: shortestWait(entries, now(), account),
      }))
      return { end, waitingMs }
    } catch (error) {
      deps.onNews?.({ type: 'storage-failed', error })
      return { end: 'storage-failed', waitingMs: timerMs }
    }
  }

  async function run(): Promise<DrainReport> {
    for (;;) {
      again = false
      const report = await round()
      drainer.forgetRefusals()
      waitsForUpdate = report.end === 'update-needed'
      if (again && !stopped) continue
      // From here to the end nothing is awaited: a wake finds either this round running or none.
      running = undefined
      callOffTimer()
      if (report.waitingMs !== undefined && !stopped) {
        const soonest = report.end === 'drained' ? 100 : second
        callOffTimer = timers.after(Math.min(timerMs, Math.max(report.waitingMs, soonest)), () => void wake('timer'))
      }
      return report
    }
  }

  function wake(reason: WakeReason): Promise<DrainReport> {
    if (stopped) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (waitsForUpdate && (reason === 'timer' || reason === 'enqueue'))
      return Promise.resolve({ end: 'update-needed', waitingMs: undefined })
    // Whoever was woken elsewhere drains by itself; here only a request that holds it up matters.
    if (reason === 'elsewhere' && !running) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (reason !== 'timer') triggered = true
    // Only what a session alone makes possible, or a new beginning, speaks for a session, and for an app that is new enough.
    if (newBeginnings.has(reason)) resumes = true
    if (reason !== 'timer' && reason !== 'enqueue') watch.hurry()
    if (reason !== 'timer' && reason !== 'enqueue' && reason !== 'elsewhere') deps.tellOthers?.()
    if (running) {
      again = true
      return running
    }
    callOffTimer()
    running = run()
    return running
  }

  return {
    wake,
    stop() {
      stopped = true
      callOffTimer()
      watch.abort()
    },
  }
}
