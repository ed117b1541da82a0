import type { RouteSpec } from '#shared/contract/route.ts'
import type { FeedScope } from '../feed/change-feed.ts'
import { checkAccess, checkAccount, checkRole, type SignedOutReason } from './access.ts'
import type { CallFrom, Device, DocumentRouteName, SessionWish } from './handler.ts'
import { requestHash, requestTarget, type ClaimedKey, type KeyScope } from './idempotency.ts'
import { ProblemError } from './problems.ts'
import { checkBounds, tooLarge } from './request-body.ts'
import type { RawInput } from './validation.ts'

/** `account`, `again` and `basis` are those of `mutationEntry`. */
export interface RouteCall extends RawInput, CallFrom {
  readonly signedOut: SignedOutReason
  readonly account: number | null
  readonly again: boolean
  readonly basis: string | null | undefined
}

export interface Outcome {
  readonly status: number
  readonly text: string | null
  /** The caller's own scope includes this change from this version on. */
  readonly version: number | null
  readonly checkpoint?: string | undefined
  readonly retryAfterSeconds?: number
  readonly next?: string | null
  readonly etag?: string
  readonly session?: SessionWish
}

export function admit(spec: RouteSpec, call: RouteCall): void {
  checkAccess(spec.access, call.caller, call.signedOut)
  if (call.caller && spec.access !== 'anyone') checkRole(spec.team, call.caller)
  // A stale header must not keep a caller from reading what is public.
  if (call.account !== null && (spec.access !== 'anyone' || spec.repeatable === 'key'))
    checkAccount(call.account, call.caller, call.signedOut)
}

const BODY_LIMIT = 64 * 1024
export const bodyLimitOf = ({ longestBody = BODY_LIMIT }: RouteSpec): number => longestBody

export function keyOf(name: DocumentRouteName, spec: RouteSpec, call: RouteCall): ClaimedKey {
  const { key, params, body, caller, device } = call
  if (key === null) throw new ProblemError('invalid_input', 'This call needs an Idempotency-Key header with a uuid.')
  checkBounds([params, body])
  if (bytesOf(body) > bodyLimitOf(spec)) throw tooLarge(bodyLimitOf(spec))
  // A visitor's change may be sent with and without a session.
  const scope = spec.access === 'anyone' || !caller ? deviceScope(device) : (`user:${caller.userId}` as const)
  // A newer app may send a queued change in other words.
  const target = spec.queueable ? requestTarget(name, params) : requestHash(name, params, body)
  return { scope, key, target, feedScope: ownScope(call) ?? null }
}

export function deviceScope(device: Device | null): KeyScope {
  return `device:${device?.id ?? ''}`
}

export function ownScope({ caller }: Pick<RouteCall, 'caller'>): FeedScope | undefined {
  return caller ? `org:${caller.organizerId}` : undefined
}

export function refusal(problem: ProblemError, requestId: string): Outcome {
  const { retryAfterSeconds } = problem.details
  return {
    status: problem.status,
    text: JSON.stringify(problem.toProblem(requestId)),
    version: null,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/**
 * Final refusals are stored. Signing in or waiting can change others, and another device may bring back what a change from
 * before a restore is about.
 */
export function isFinal(problem: ProblemError, { again }: Pick<RouteCall, 'again'>): boolean {
  return !again && problem.status < 500 && problem.status !== 401 && problem.status !== 429
}

export const bytesOf = (body: unknown): number => (body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body)))
