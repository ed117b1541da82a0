import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { directConnectionOf } from '../db/knex-config.ts'
import { startListener } from '../db/listener.ts'
import { failureOf, type HeldRun, holdJob, type JobRun } from './job-run.ts'
import {
  failExpiredJobs,
  type ClaimedJob,
  claimJobs,
  failJob,
  finishJob,
  nextDueInMs,
  postponeJob,
} from './job-queue.ts'
import { jobsChannel } from './job-store.ts'

export { GiveUp, RetryLater } from './job-run.ts'
export type { JobRun } from './job-run.ts'

/**
 * Undefined means that the job is done. A throw is a failed attempt (`RetryLater`, `GiveUp`). A task may run twice when
 * its server dies, so it asks `run.stillHeld()` before anything that cannot be taken back.
 */
export type TaskResult = undefined | { readonly runAgainAt: Date }
export type Task = (job: ClaimedJob, run: JobRun) => Promise<TaskResult>

export type Tasks = Readonly<Record<string, Task>>

/** A task whose signal was aborted has this long to end. */
const abortGraceMs = 2_000

export interface WorkerOptions {
  /** The limit counts for each kind, so that a slow service delays only its own. */
  readonly atOnce?: number
  readonly pollMs?: number
  /** A job may be taken over when its holder has given no sign of life for this long. */
  readonly leaseMs?: number
  /** A longer task hangs: it loses its job. */
  readonly longestRunMs?: number
  readonly patienceMs?: number
  /** Awaited before jobs are taken; none are when it throws. */
  readonly beforeLook?: () => Promise<void>
}

export interface Worker {
  wake(): void
  /** Takes no more jobs, waits for running ones, and hands back what does not end in time. */
  stop(): Promise<void>
}

interface Running {
  readonly job: ClaimedJob
  readonly run: HeldRun
  ended: Promise<void>
}

/**
 * NOTIFY, the next due time and a poll wake it. Silent servers' jobs are taken over one at a time, because one of them
 * may bring servers down.
 */
export function startWorker(db: Knex, tasks: Tasks, log: Logger, options: WorkerOptions = {}): Worker {
  const {
    atOnce = 4,
    pollMs = 15_000,
    leaseMs = 60_000,
    longestRunMs = 600_000,
    patienceMs = 10_000,
    beforeLook,
  } = options
  const kinds = Object.keys(tasks)
  const running = new Set<Running>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false

  /** Only one look runs at a time; a call during it causes one more. */
  function wake(): void {
    if (stopped) return
    if (looking) {
      lookAgain = true
      return
    }
    clearTimeout(timer)
    looking = look()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'cannot look for jobs')
        return pollMs
      })
      .then((waitMs) => {
        looking = undefined
        if (stopped) return
        if (lookAgain) {
          lookAgain = false
          wake()
        } else {
          timer = setTimeout(wake, waitMs)
        }
      })
  }

  function freeSlots(): Map<string, number> {
    const slots = new Map(kinds.map((kind) => [kind, atOnce]))
    for (const { job } of running) slots.set(job.kind, (slots.get(job.kind) ?? 0) - 1)
    return new Map([...slots].filter(([, free]) => free > 0))
  }

  const mayTakeOver = () => ![...running].some(({ job }) => job.takenOver)

  async function look(): Promise<number> {
    await beforeLook?.()
    const takeOver = mayTakeOver()
    if (takeOver) {
      for (const { id, kind, attempts } of await failExpiredJobs(db, kinds))
        log.error({ job: id, kind, attempt: attempts }, 'a job stopped its server in its last attempt')
    }
    const claimedAtMs = performance.now()
    for (const job of await claimJobs(db, freeSlots(), leaseMs, takeOver)) start(job, claimedAtMs)
    const slots = freeSlots()
    if (slots.size === 0) return pollMs
    const dueMs = await nextDueInMs(db, [...slots.keys()], mayTakeOver())
    return Math.min(pollMs, Math.max(10, Math.ceil(dueMs ?? pollMs)))
  }

  function start(job: ClaimedJob, claimedAtMs: number): void {
    const run = holdJob(db, job, { leaseMs, longestRunMs, claimedAtMs }, log)
    const entry: Running = { job, run, ended: Promise.resolve() }
    running.add(entry)
    // A task that ignores its signal must not keep its slot for ever.
    run.signal.addEventListener('abort', () => {
      if (run.lost()?.reason !== 'lease-lost') return
      running.delete(entry)
      wake()
    })
    entry.ended = runJob(job, run).finally(() => {
      run.release()
      running.delete(entry)
      wake()
    })
  }

  async function runJob(job: ClaimedJob, run: HeldRun): Promise<void> {
    try {
      const task = tasks[job.kind]
      if (!task) throw new Error(`no task does ${job.kind}`)
      const result = await task(job, run)
      if (result) await postponeJob(db, job, result.runAgainAt)
      else await finishJob(db, job)
    } catch (error) {
      const lost = run.lost()
      if (lost) await giveBack(job, lost.reason)
      else await fail(job, error)
    }
  }

  async function giveBack(job: ClaimedJob, reason: 'lease-lost' | 'stopping'): Promise<void> {
    const about = { job: job.id, kind: job.kind, attempt: job.attempts }
    if (reason === 'lease-lost') {
      log.warn(about, 'a job took longer than its lease and belongs to another worker now')
      return
    }
    await postponeJob(db, job, new Date()).then(
      () => log.info(about, 'a job was handed back because the server stops'),
      (error: unknown) => log.warn({ ...about, err: error }, 'cannot hand a job back'),
    )
  }

  async function fail(job: ClaimedJob, error: unknown): Promise<void> {
    const failure = failureOf(error)
    const about = { job: job.id, kind: job.kind, attempt: job.attempts, reason: failure.text }
    try {
      const state = await failJob(db, job, failure)
      if (state === 'dead') log.error(about, 'a job failed for the last time')
      else log.warn(about, 'a job failed and will be tried again')
    } catch (noted) {
      // The lease runs out and another attempt is made.
      log.warn({ ...about, err: noted }, 'cannot note that a job failed')
    }
  }

  async function endAll(withinMs: number): Promise<void> {
    let timeout: NodeJS.Timeout | undefined
    const time = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, withinMs)
    })
    await Promise.race([Promise.all([...running].map(({ ended }) => ended)), time])
    clearTimeout(timeout)
  }

  const heard = { channel: jobsChannel, name: 'beaconry-jobs', onNotification: wake, onResumed: wake, log }
  const listener =
    kinds.length > 0
      ? startListener({ connectionString: directConnectionOf(db).connectionString, ...heard })
      : undefined
  // The poll finds the job while nothing is heard.
  listener?.begun.then(wake, () => undefined)
  wake()

  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await listener?.close()
      await looking
      await endAll(patienceMs)
      for (const { run } of running) run.abandon()
      await endAll(abortGraceMs)
    },
  }
}
