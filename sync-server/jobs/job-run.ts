import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { extendLease, type ClaimedJob } from './job-queue.ts'

/** What a task is told about its hold on the job while it runs. */
export interface JobRun {
  /**
   * Aborted as soon as the job may be somebody else's, or when a server that stops waits no longer. Give it to whatever
   * waits; what a task throws afterwards is no failure of the job.
   */
  readonly signal: AbortSignal
  /**
   * Asks the database whether the job is still this run's, and if so keeps it for a whole lease from now. To be asked
   * immediately before anything that leaves the house: on `false` nothing may be sent. Throws when the database does not
   * answer, which means no as well.
   */
  stillHeld(): Promise<boolean>
}

/** Why a run ended before its task did: its lease ran out, or its server stops. */
class NotOurs extends Error {
  readonly reason: 'lease-lost' | 'stopping'

  constructor(reason: 'lease-lost' | 'stopping') {
    super(reason === 'lease-lost' ? 'the lease of the job was lost' : 'the server stops')
    this.name = 'NotOurs'
    this.reason = reason
  }
}

/** A run with what its worker needs. */
export interface HeldRun extends JobRun {
  /** Why it ended early; undefined while it is held. */
  lost(): NotOurs | undefined
  /** Ends the run from outside. */
  abandon(): void
  /** No more signs of life. */
  release(): void
}

interface HoldTimes {
  readonly leaseMs: number
  readonly longestRunMs: number
  /** By this process's own clock, read before the claim was asked for. */
  readonly claimedAtMs: number
}

/**
 * Keeps the lease of a job while its task runs. The database decides who holds it; for the time in which it cannot be
 * asked our own clock does, which starts when a question leaves and therefore ends first.
 */
export function holdJob(db: Knex, job: ClaimedJob, times: HoldTimes, log: Logger): HeldRun {
  const { leaseMs, longestRunMs, claimedAtMs } = times
  const controller = new AbortController()
  let lost: NotOurs | undefined
  let end: NodeJS.Timeout | undefined

  function lose(reason: NotOurs['reason']): void {
    if (lost) return
    lost = new NotOurs(reason)
    release()
    controller.abort(lost)
  }

  function heldSince(askedAtMs: number): void {
    clearTimeout(end)
    end = setTimeout(() => lose('lease-lost'), Math.max(0, askedAtMs + leaseMs - performance.now()))
  }

  async function stillHeld(): Promise<boolean> {
    if (lost) return false
    const askedAtMs = performance.now()
    if (askedAtMs - claimedAtMs > longestRunMs) {
      lose('lease-lost')
      return false
    }
    if (!(await extendLease(db, job, leaseMs))) lose('lease-lost')
    else if (!lost) heldSince(askedAtMs)
    return !lost
  }

  const heartbeat = setInterval(() => {
    stillHeld().catch((error: unknown) => log.warn({ err: error, job: job.id }, 'cannot extend the lease of a job'))
  }, leaseMs / 3)

  function release(): void {
    clearInterval(heartbeat)
    clearTimeout(end)
  }

  heldSince(claimedAtMs)
  return { signal: controller.signal, stillHeld, lost: () => lost, abandon: () => lose('stopping'), release }
}
