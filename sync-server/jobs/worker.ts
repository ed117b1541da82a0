import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { connectionStringOf } from '../db/knex-config.ts'
import {
  claimJob,
  extendLease,
  failJob,
  finishJob,
  nextDueInMs,
  postponeJob,
  purgeJobs,
  type ClaimedJob,
} from './job-queue.ts'
import { listenForJobs } from './job-signal.ts'

/**
 * What a task answers: nothing when the job is done, or that it is too early. Throwing means that the attempt failed; a
 * thrown `RetryLater` says how long to wait at least. A task may run twice when a server dies in the middle of it.
 */
export type TaskResult = undefined | { readonly runAgainAt: Date }
export type Task = (job: ClaimedJob) => Promise<TaskResult>

/** Tasks by the kind of job they do. */
export type Tasks = Readonly<Record<string, Task>>

/** A failure that names the earliest moment for another try, such as a service's Retry-After. */
export class RetryLater extends Error {
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.name = 'RetryLater'
    this.afterMs = afterMs
  }
}

const dayMs = 86_400_000

export interface WorkerOptions {
  /** Jobs this process runs at the same time. */
  readonly atOnce?: number
  readonly pollMs?: number
  /** How long after a holder's last sign of life its job may be taken over. */
  readonly leaseMs?: number
}

export interface Worker {
  /** Looks for jobs now. */
  wake(): void
  /** Takes no more jobs and waits for those it is running. */
  stop(): Promise<void>
}

/**
 * Runs jobs of the kinds it has tasks for until it is stopped, and once a day removes those that ended long ago. Woken by NOTIFY, by the time the next job is due, and by
 * a poll for whatever those two missed. Any number of workers in any number of processes share one queue.
 */
export function startWorker(db: Knex, tasks: Tasks, log: Logger, options: WorkerOptions = {}): Worker {
  const { atOnce = 4, pollMs = 15_000, leaseMs = 60_000 } = options
  const kinds = Object.keys(tasks)
  const running = new Set<Promise<void>>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false

  /** One look at a time; a call that comes meanwhile makes it look once more. */
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

  /** Starts what is due; answers how long to rest. */
  async function look(): Promise<number> {
    for (;;) {
      if (stopped || running.size >= atOnce) break
      const job = await claimJob(db, kinds, leaseMs)
      if (!job) break
      const run = runJob(job).finally(() => {
        running.delete(run)
        wake()
      })
      running.add(run)
    }
    if (running.size >= atOnce) return pollMs
    const dueMs = await nextDueInMs(db, kinds)
    return Math.min(pollMs, Math.max(10, Math.ceil(dueMs ?? pollMs)))
  }

  async function runJob(job: ClaimedJob): Promise<void> {
    const heartbeat = setInterval(() => {
      extendLease(db, job, leaseMs).catch((error: unknown) =>
        log.warn({ err: error, job: job.id }, 'cannot extend the lease of a job'),
      )
    }, leaseMs / 3)
    try {
      const task = tasks[job.kind]
      if (!task) throw new Error(`No task does ${job.kind}`)
      const result = await task(job)
      if (result) await postponeJob(db, job, result.runAgainAt)
      else await finishJob(db, job)
    } catch (error) {
      await fail(job, error)
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function fail(job: ClaimedJob, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const about = { job: job.id, kind: job.kind, attempt: job.attempts, reason: message }
    try {
      const state = await failJob(db, job, message, error instanceof RetryLater ? error.afterMs : 0)
      if (state === 'dead') log.error(about, 'a job failed for the last time')
      else log.warn(about, 'a job failed and will be tried again')
    } catch (noted) {
      // The lease runs out and another attempt is made.
      log.warn({ ...about, err: noted }, 'cannot note that a job failed')
    }
  }

  function purge(): void {
    purgeJobs(db).catch((error: unknown) => log.warn({ err: error }, 'cannot remove old jobs'))
  }

  const purging = setInterval(purge, dayMs)
  const stopListening = kinds.length > 0 ? listenForJobs(connectionStringOf(db), log, wake) : async () => undefined
  wake()

  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      clearInterval(purging)
      await stopListening()
      await looking
      await Promise.all(running)
    },
  }
}
