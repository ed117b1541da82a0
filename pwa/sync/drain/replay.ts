import { shortestWait } from './claim.ts'
import { createDrainer, type DrainDependencies } from './drain.ts'
import { drainAsLeader } from './drain-lease.ts'
import { type Locks } from './election.ts'
import { createRequestWatch } from './request-watch.ts'
import type { DrainReport, Timers, WakeFlags, WakeReason } from './wake.ts'

export interface ReplayerDependencies extends DrainDependencies {
  readonly locks: Locks
  readonly timers: Timers
  /** Names this page or worker among the device's. */
  readonly owner: string
  readonly tellOthers?: () => void
}

export type Replayer = ReturnType<typeof createReplayer>

/** These hint at a valid session and at a server that accepts this version of the app. */
const sessionHints: ReadonlySet<WakeReason> = new Set(['page-start', 'activate', 'stream-opened', 'sign-in'])

const noFlags: WakeFlags = { triggered: false, resumes: false }
const second = 1000
const timerMs = 30 * second

export function createReplayer(deps: ReplayerDependencies) {
  const { store, now, timers } = deps
  let running: Promise<DrainReport> | undefined
  let again = false
  let flags = noFlags
  let stopped = false
  let waitsForUpdate = false
  let rounds = 0
  let cancelTimer = () => {}
  const watch = createRequestWatch(timers, now)
  const takeWakeFlags = () => {
    const taken = flags
    flags = noFlags
    return taken
  }
  const drainer = createDrainer(deps, watch, takeWakeFlags, () => stopped)

  async function round(): Promise<DrainReport> {
    try {
      const owner = `${deps.owner}:${++rounds}`
      const end = await drainAsLeader({ ...deps, onLost: watch.abort }, owner, drainer.drain)
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
      cancelTimer()
      if (report.waitingMs !== undefined && !stopped) {
        const soonest = report.end === 'drained' ? 100 : second
        cancelTimer = timers.after(Math.min(timerMs, Math.max(report.waitingMs, soonest)), () => void wake('timer'))
      }
      return report
    }
  }

  /** Resolves when the round that this caused has ended; never rejects because of the network. */
  function wake(reason: WakeReason): Promise<DrainReport> {
    if (stopped) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (waitsForUpdate && (reason === 'timer' || reason === 'enqueue'))
      return Promise.resolve({ end: 'update-needed', waitingMs: undefined })
    // The context that was woken drains by itself; here only a silent request that delays it matters.
    if (reason === 'elsewhere' && !running) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (reason !== 'timer') flags = { ...flags, triggered: true }
    if (sessionHints.has(reason)) flags = { ...flags, resumes: true }
    if (reason !== 'timer' && reason !== 'enqueue') watch.shortenTimeout()
    if (reason !== 'timer' && reason !== 'enqueue' && reason !== 'elsewhere') deps.tellOthers?.()
    if (running) {
      again = true
      return running
    }
    cancelTimer()
    running = run()
    return running
  }

  return {
    wake,
    /** Aborts a request under way; what it carried is found and sent again by the next drainer. */
    stop() {
      stopped = true
      cancelTimer()
      watch.abort()
    },
  }
}
