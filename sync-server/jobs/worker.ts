import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { connectionStringOf } from '../db/knex-config.ts'
import { type Listener, startListener } from '../db/listener.ts'
import { failureOf, type HeldRun, holdJob, type JobRun } from './job-run.ts'
import {
  burySilentJobs,
  type ClaimedJob,
  claimJobs,
  failJob,
  finishJob,
  nextDueInMs,
  postponeJob,
  purgeJobs,
} from './job-queue.ts'
import { jobsChannel } from './job-store.ts'

export { GiveUp, RetryLater } from './job-run.ts'
export type { JobRun } from './job-run.ts'

/**
 * What a task answers: nothing when the job is done, or that it is too early. Throwing means that the attempt failed: a
 * thrown `RetryLater` says how long to wait at least, a thrown `GiveUp` that no other try can help. A task may run twice
 * when a server dies in the middle of it, so it asks `run.stillHeld()` before anything that cannot be taken back.
 */
export type TaskResult = undefined | { readonly runAgainAt: Date }
export type Task = (job: ClaimedJob, run: JobRun) => Promise<TaskResult>

/** Tasks by the kind of job they do. */
export type Tasks = Readonly<Record<string, Task>>

const dayMs = 86_400_000
/** How long a task that was told to end may take to do so. */
const lastWordsMs = 2_000

export interface WorkerOptions {
  /** Jobs of one kind this process runs at the same time: a service that is slow keeps only its own kind waiting. */
  readonly atOnce?: number
  readonly pollMs?: number
  /** How long after a holder's last sign of life its job may be taken over. */
  readonly leaseMs?: number
  /** A task that takes longer has lost its job: it hangs, and a sign of life from it says nothing. */
  readonly longestRunMs?: number
  /** How long stopping waits for jobs that run; what is not done by then is handed back. */
  readonly patienceMs?: number
}

export interface Worker {
  /** Looks for jobs now. */
  wake(): void
  /** Takes no more jobs, waits for those it is running, and hands back what does not end in time. */
  stop(): Promise<void>
}

/** A job on its way. */
interface Running {
  readonly job: ClaimedJob
  readonly run: HeldRun
  ended: Promise<void>
}

/**
 * Runs jobs of the kinds it has tasks for until it is stopped, and once a day removes those that ended long ago. Woken by
 * NOTIFY, by the time the next job is due, and by a poll for whatever those two missed. Any number of workers in any
 * number of processes share one queue. Jobs whose server fell silent are taken over one at a time, so that the one which
 * brings servers down takes no others with it.
 */
export function startWorker(db: Knex, tasks: Tasks, log: Logger, options: WorkerOptions = {}): Worker {
  const { atOnce = 4, pollMs = 15_000, leaseMs = 60_000, longestRunMs = 600_000, patienceMs = 10_000 } = options
  const kinds = Object.keys(tasks)
  const running = new Set<Running>()
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

  /** How many more jobs of each kind may begin; a kind without a place is missing. */
  function freePlaces(): Map<string, number> {
    const places = new Map(kinds.map((kind) => [kind, atOnce]))
    for (const { job } of running) places.set(job.kind, (places.get(job.kind) ?? 0) - 1)
    return new Map([...places].filter(([, free]) => free > 0))
  }

  const mayTakeOver = () => ![...running].some(({ job }) => job.takenOver)

  /** Starts what is due; answers how long to rest. */
  async function look(): Promise<number> {
    const takeOver = mayTakeOver()
    if (takeOver) {
      for (const { id, kind, attempts } of await burySilentJobs(db, kinds))
        log.error({ job: id, kind, attempt: attempts }, 'a job stopped its server in its last attempt')
    }
    const claimedAtMs = performance.now()
    for (const job of await claimJobs(db, freePlaces(), leaseMs, takeOver)) start(job, claimedAtMs)
    const places = freePlaces()
    if (places.size === 0) return pollMs
    const dueMs = await nextDueInMs(db, [...places.keys()], mayTakeOver())
    return Math.min(pollMs, Math.max(10, Math.ceil(dueMs ?? pollMs)))
  }

  function start(job: ClaimedJob, claimedAtMs: number): void {
    const run = holdJob(db, job, { leaseMs, longestRunMs, claimedAtMs }, log)
    const entry: Running = { job, run, ended: Promise.resolve() }
    running.add(entry)
    // A task that does not end though its job is gone must not keep its place for ever.
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
      log.warn(about, 'a job took longer than its lease and is somebody else’s now')
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

  function purge(): void {
    purgeJobs(db).catch((error: unknown) => log.warn({ err: error }, 'cannot remove old jobs'))
  }

  async function endAll(withinMs: number): Promise<void> {
    let timeout: NodeJS.Timeout | undefined
    const time = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, withinMs)
    })
    await Promise.race([Promise.all([...running].map(({ ended }) => ended)), time])
    clearTimeout(timeout)
  }

  /** Hears of transactions that queued a job, on whatever process. While nothing is heard, the poll finds the job. */
  function listenForJobs(connectionString: string): Listener {
    const name = 'beaconry-jobs'
    const hears = { onNotification: wake, onResumed: wake }
    const started = startListener({ connectionString, channel: jobsChannel, name, ...hears, log })
    started.begun.then(wake, () => undefined)
    return started
  }

  const purging = setInterval(purge, dayMs)
  const listener = kinds.length > 0 ? listenForJobs(connectionStringOf(db)) : undefined
  wake()

  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      clearInterval(purging)
      await listener?.close()
      await looking
      await endAll(patienceMs)
      for (const { run } of running) run.abandon()
      await endAll(lastWordsMs)
    },
  }
}
