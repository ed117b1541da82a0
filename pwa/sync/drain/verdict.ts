import { isProblem, type Problem } from '#shared/contract/problem.ts'
import { stoppedCode, type Entry } from '../queue/entry.ts'

export interface Outcome {
  readonly status: number
  /** The answer named this very change (`X-Ack`, or a line's key): nothing else proves that it is the server's. */
  readonly echoed: boolean
  /** The JSON of the body; undefined for an empty one. */
  readonly body: unknown
  readonly version?: number | null
  readonly epoch?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

export type Verdict =
  | {
      readonly kind: 'acknowledged'
      readonly version: number | null
      readonly epoch?: string
      readonly body: unknown
      /** What it is about is not there. */
      readonly missing?: true
    }
  | { readonly kind: 'needsAuth' }
  | { readonly kind: 'parked'; readonly status: number; readonly problem: Problem }
  | { readonly kind: 'retry'; readonly afterSeconds?: number }
  | { readonly kind: 'update-app' }
  | {
      readonly kind: 'unreachable'
      /** The status with which something on the way refused the request. */
      readonly refusedWith?: number
    }

const passing = new Set([408, 425, 429])
/** Statuses of a proxy that say nothing about what was sent. */
const ofTheProxy = new Set([...passing, 401, 407])

/** For a change that a firewall refuses, which the server never saw. */
export const stopped = (status: number): Verdict => ({
  kind: 'parked',
  status,
  problem: {
    code: stoppedCode,
    message: `Something between this device and Beaconry refuses this change (${status}), and lets the others through. Try another network, or put it in other words.`,
    requestId: '',
  },
})

/**
 * Only a readable answer that names the change is the server's; a captive portal's page, `{}`, a redirect or half a
 * body are the same as no network.
 */
export function classify(outcome: Outcome, { missingIsSuccess = false } = {}): Verdict {
  const { status, body } = outcome
  if (!outcome.echoed && status >= 400 && status < 500 && !ofTheProxy.has(status))
    return { kind: 'unreachable', refusedWith: status }
  if (!outcome.echoed) return { kind: 'unreachable' }
  const done = {
    kind: 'acknowledged',
    version: outcome.version ?? null,
    ...(outcome.epoch === undefined ? {} : { epoch: outcome.epoch }),
  } as const
  if (status >= 200 && status < 300) return { ...done, body }
  if (status >= 500 || passing.has(status)) {
    return outcome.retryAfterSeconds === undefined
      ? { kind: 'retry' }
      : { kind: 'retry', afterSeconds: outcome.retryAfterSeconds }
  }
  if (status < 400 || !isProblem(body)) return { kind: 'unreachable' }
  if (status === 401 || body.code === 'account_mismatch') return { kind: 'needsAuth' }
  if (status === 426) return { kind: 'update-app' }
  if (status === 404 && missingIsSuccess) return { ...done, body: undefined, missing: true }
  return { kind: 'parked', status, problem: body }
}

const second = 1000
/** For so long after a restore a change waits for what another device has to bring back. */
const patienceMs = 24 * 3_600 * second
const awaited: ReadonlySet<string> = new Set(['not_found', 'unknown_basis'])
const longestWaitSeconds = 300

/**
 * A change made before a restore is retried instead of parked for something missing, under a key that stays valid; so
 * is a deletion that found nothing.
 * @param now milliseconds since the epoch
 */
export function patientVerdict(entry: Entry, verdict: Verdict, now: number): Verdict {
  const isAwaited =
    verdict.kind === 'acknowledged' ? verdict.missing : verdict.kind === 'parked' && awaited.has(verdict.problem.code)
  // Absolute, so that a clock that was set back does not prolong the wait.
  if (!entry.again || !isAwaited || Math.abs(now - entry.again.since) >= patienceMs) return verdict
  return { kind: 'retry', afterSeconds: Math.min(longestWaitSeconds, 2 ** Math.min(entry.attempts, 8)) }
}
