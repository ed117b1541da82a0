import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { type ClaimedJob, extendLease, type Failure } from './job-queue.ts'

export interface JobRun {
  /**
   * Aborted when another process may hold the job or a stopping server's patience ends. What a task then throws is no
   * failure.
   */
  readonly signal: AbortSignal
  /**
   * Extends the lease. Asked immediately before anything that cannot be taken back: on `false` nothing may be sent.
   * Throws when the database does not answer, which also means no.
   */
  stillHeld(): Promise<boolean>
}

class NotOurs extends Error {
  readonly reason: 'lease-lost' | 'stopping'

  constructor(reason: 'lease-lost' | 'stopping') {
    super(reason === 'lease-lost' ? 'the lease of the job was lost' : 'the server stops')
    this.name = 'NotOurs'
    this.reason = reason
  }
}

export interface HeldRun extends JobRun {
  lost(): NotOurs | undefined
  abandon(): void
  release(): void
}

interface HoldTimes {
  readonly leaseMs: number
  readonly longestRunMs: number
  /** By this process's clock, read before the claim was asked for. */
  readonly claimedAtMs: number
}

/**
 * The database decides who holds the job; while it does not answer our own clock does, which starts when a question
 * leaves and therefore ends first.
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

/** Names the earliest moment for another try, such as a service's Retry-After. */
export class RetryLater extends Error {
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.name = 'RetryLater'
    this.afterMs = afterMs
  }
}

/** No other try can help. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

export function failureOf(error: unknown): Failure {
  return {
    text: failureText(error),
    retryAfterMs: error instanceof RetryLater ? error.afterMs : 0,
    isFinal: error instanceof GiveUp,
  }
}

/**
 * The text is for an operator. Foreign errors may repeat personal data, so only their codes are kept; our own lose what
 * looks like a value.
 */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'something was thrown that is no error'
  const { code, responseCode, constraint } = error as Error & Record<'code' | 'responseCode' | 'constraint', unknown>
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code))
    return `the database answered ${code}${typeof constraint === 'string' ? ` (${constraint})` : ''}`
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return `${error.name} ${code}`
  return withoutValues(error.message)
}

const longest = 200

/** Without addresses, quoted values, paths of links and long numbers; one line of at most 200 characters. */
export function withoutValues(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]+/gi, '$1…')
    .replace(/<[^<>]*>/g, '<…>')
    .replace(/[^\s"'<>]*@[^\s"'<>]+/g, '…')
    .replace(/"[^"]*"?|“[^”]*”?|`[^`]*`?|(?<!\p{L})'[^']*'?/gu, '"…"')
    .replace(/\+?\d[\d ().-]{5,}\d/g, '…')
    .trim()
    .slice(0, longest)
}
