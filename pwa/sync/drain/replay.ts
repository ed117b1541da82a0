import type { Leader } from '../leader.ts'
import { shortestWait } from './claim.ts'
import { createDrainer, type DrainDependencies } from './drain.ts'
import { createRequestWatch } from './request-watch.ts'
import type { DrainReport, Timers, WakeFlags, WakeReason } from './wake.ts'

export interface ReplayerDependencies extends DrainDependencies {
  readonly leader: Leader
  readonly timers: Timers
  /** A worker leads only while it drains. */
  readonly isWorker?: boolean
}

export type Replayer = ReturnType<typeof createReplayer>

/** These hint at a valid session and at a server that accepts this version of the app. */
const sessionHints: ReadonlySet<WakeReason> = new Set(['page-start', 'activate', 'stream-opened', 'sign-in'])

const noFlags: WakeFlags = { triggered: false, resumes: false }
const second = 1000
const timerMs = 30 * second

export function createReplayer(deps: ReplayerDependencies) {
  const { store, now, timers, leader } = deps
  let running: Promise<DrainReport> | undefined
  let again = false
  let flags = noFlags
  let stopped = false
  let waitsForUpdate = false
  let cancelTimer = () => {}
  const watch = createRequestWatch(timers, now)
  const takeWakeFlags = () => {
    const taken = flags
    flags = noFlags
    return taken
  }
  const mayDrain = () => leader.isLeading() && !stopped
  const drainer = createDrainer(deps, watch, takeWakeFlags, mayDrain)

  async function round(reason: WakeReason): Promise<DrainReport> {
    try {
      const isLeading = await leader.ask(reason)
      again = false
      const end = isLeading ? await drainer.drain() : 'not-leading'
      const { result: waitingMs } = await store.change('all', ({ entries, account }) => ({
        result: shortestWait(entries, now(), account),
      }))
      return { end, waitingMs }
    } catch (error) {
      deps.onNews?.({ type: 'storage-failed', error })
      return { end: 'storage-failed', waitingMs: timerMs }
    }
  }

  async function run(reason: WakeReason): Promise<DrainReport> {
    for (;;) {
      const report = await round(reason)
      drainer.resetBatchLimit()
      waitsForUpdate = report.end === 'update-needed'
      if (again && mayDrain() && (!waitsForUpdate || flags.resumes)) continue
      // From here to the end nothing is awaited: a wake finds either this round running or none.
      running = undefined
      cancelTimer()
      if (report.waitingMs !== undefined && report.end !== 'not-leading' && !stopped) {
        const soonest = report.end === 'drained' ? 100 : second
        cancelTimer = timers.after(Math.min(timerMs, Math.max(report.waitingMs, soonest)), () => void wake('timer'))
      }
      if (deps.isWorker) leader.resign()
      return report
    }
  }

  /** Resolves when the round that this caused has ended, or another context leads; never rejects because of the network. */
  function wake(reason: WakeReason): Promise<DrainReport> {
    if (stopped) return Promise.resolve({ end: 'not-leading', waitingMs: undefined })
    if (waitsForUpdate && (reason === 'timer' || reason === 'enqueue'))
      return Promise.resolve({ end: 'update-needed', waitingMs: undefined })
    if (reason !== 'timer') flags = { ...flags, triggered: true }
    if (sessionHints.has(reason)) flags = { ...flags, resumes: true }
    if (reason !== 'timer' && reason !== 'enqueue') watch.shortenTimeout(reason === 'online')
    if (reason === 'asked') leader.takeOver()
    if (running) {
      again = true
      void leader.ask(reason)
      return running
    }
    cancelTimer()
    running = run(reason)
    return running
  }

  leader.watch({
    // What the leader before left as `sending`, or did not hear of any more.
    onElected() {
      if (running) again = true
      else void wake('visible')
    },
    onAsked: (reason) => void wake(reason),
  })

  return {
    wake,
    /** Lets another context lead until this one is woken again. */
    giveWay: leader.resign,
    /** Aborts a request under way; what it carried is found and sent again by the next drainer. */
    stop() {
      stopped = true
      cancelTimer()
      watch.abort()
      leader.resign()
    },
  }
}
