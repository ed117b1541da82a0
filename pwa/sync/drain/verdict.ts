import { isProblem, type Problem } from '#shared/contract/problem.ts'
import { stoppedCode } from '../queue/entry.ts'

export interface Outcome {
  readonly status: number
  /** The answer carries `X-Beaconry`, or is a line with the key of this very change: it comes from our server. */
  readonly echoed: boolean
  /** This is the JSON of the body; an empty one is undefined. */
  readonly body: unknown
  readonly version?: number | null
  readonly checkpoint?: string | undefined
  readonly epoch?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

export type Verdict =
  | {
      readonly kind: 'acknowledged'
      readonly version: number | null
      readonly checkpoint?: string
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
      /** Something on the way refused the request with this status. */
      readonly refusedWith?: number
    }

const passing = new Set([408, 425, 429])
/** A proxy answers with these statuses, which say nothing about what was sent. */
const ofTheProxy = new Set([...passing, 401, 407])

/** Judges a change that a firewall refuses, which the server never saw. */
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
    ...(outcome.checkpoint === undefined ? {} : { checkpoint: outcome.checkpoint }),
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
