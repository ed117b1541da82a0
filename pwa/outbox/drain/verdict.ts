import { isProblem, type Problem } from '#shared/contract/problem.ts'

/** What came back for one change. */
export interface Outcome {
  readonly status: number
  /** The answer named this very change (`X-Ack`, or the key of a line in a batch). Nothing else proves who answered. */
  readonly echoed: boolean
  /** The JSON of the body; undefined for an empty one. `unreadable` when it was cut off or is not JSON. */
  readonly body: unknown
  readonly unreadable?: boolean
  readonly version?: number | null
  readonly epoch?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** What an answer means for a change. */
export type Verdict =
  | {
      readonly kind: 'acknowledged'
      readonly version: number | null
      readonly epoch?: string
      readonly body: unknown
      /** There was nothing to do: what it is about is not there. */
      readonly missing?: true
    }
  | { readonly kind: 'needsAuth' }
  | { readonly kind: 'parked'; readonly status: number; readonly problem: Problem }
  | { readonly kind: 'retry'; readonly afterSeconds?: number }
  | { readonly kind: 'update-app' }
  | { readonly kind: 'unreachable' }

const passing = new Set([408, 425, 429])

/**
 * The one place that reads an answer's meaning. Only an answer that names the change and can be read counts as the
 * server's; a captive portal's page, `{}`, a redirect or half a body are the same as no network.
 */
export function classify(outcome: Outcome, { missingIsSuccess = false } = {}): Verdict {
  const { status, body } = outcome
  if (!outcome.echoed || outcome.unreadable) return { kind: 'unreachable' }
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
