import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { RouteName } from '#shared/api/routes.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { Config } from '../config.ts'
import { checkAccess, checkAccount, type SignedOutReason } from './access.ts'
import type { AuditLine } from './audit.ts'
import { checkBounds, tooLarge } from './request-body.ts'
import type { CallFrom, Device, DocumentRouteName, HandlerCall, Handlers, JsonText, SessionWish } from './handler.ts'
import type { GiveBack, SpendAllowance } from './limits.ts'
import { requestHash, requestTarget, type ClaimedKey, type KeyScope } from './idempotency.ts'
import { asProblem, ProblemError } from './problems.ts'
import type { PresentTouched, Touched } from './touched.ts'
import type { RawInput, ValidInput } from './validation.ts'

export interface RouteCall extends RawInput, CallFrom {
  readonly signedOut: SignedOutReason
  /** The account the change belongs to, where the sender names it. */
  readonly account: number | null
  /** As in `mutationEntry`; null for what is sent for the first time. */
  readonly again: 'taken' | 'new' | null
  /** As in `mutationEntry`; undefined where its sender names none. */
  readonly basis: string | null | undefined
}

export interface Outcome {
  readonly status: number
  /** Finished JSON text; null for no body. */
  readonly text: string | null
  /** Version of the caller's own `org` scope that includes this change. */
  readonly version: number | null
  readonly retryAfterSeconds?: number
  readonly next?: string | null
  readonly session?: SessionWish
}

export interface PipelineParts {
  readonly db: Knex
  readonly config: Config
  readonly log: Logger
  readonly handlers: Handlers
  readonly present: PresentTouched
  readonly spend: SpendAllowance
  readonly now: () => Date
}

export type RunRoute = (name: DocumentRouteName, call: RouteCall) => Promise<Outcome>

export interface PreparedCall {
  readonly given: HandlerCall<DocumentRouteName>
  readonly touched: Touched[]
  readonly wishes: { session?: SessionWish }
}

export function prepareCall(
  parts: PipelineParts,
  name: DocumentRouteName,
  call: RouteCall,
  input: ValidInput,
  on: Knex,
  basis?: Basis,
): PreparedCall {
  const touched: Touched[] = []
  const wishes: { session?: SessionWish } = {}
  const given = {
    ...call,
    ...input,
    db: on,
    now: parts.now(),
    again: call.again === 'taken',
    basis,
    config: parts.config,
    log: parts.log.child({ route: name, requestId: call.requestId }),
    spend: parts.spend,
    wishSession: (wish: SessionWish) => {
      wishes.session = wish
    },
    touch: (...more: readonly Touched[]) => touched.push(...more),
  } as unknown as HandlerCall<DocumentRouteName>
  return { given, touched, wishes }
}

export function admit(spec: RouteSpec, call: RouteCall): void {
  checkAccess(spec.access, call.caller, call.signedOut)
  // A stale header must not keep a caller from reading what is public, or from signing in or out.
  if (call.account !== null && (spec.access !== 'anyone' || spec.repeatable === 'key')) {
    checkAccount(call.account, call.caller, call.signedOut)
  }
}

const BODY_LIMIT = 64 * 1024
export const bodyLimitOf = ({ longestBody = BODY_LIMIT }: RouteSpec): number => longestBody

/** Throws for a call without a key, or one larger than any call may be. */
export function keyOf(name: DocumentRouteName, spec: RouteSpec, call: RouteCall): ClaimedKey {
  const { key } = call
  if (key === null) throw new ProblemError('invalid_input', 'This call needs an Idempotency-Key header with a uuid.')
  checkBounds([call.params, call.body])
  if (bytesOf(call.body) > bodyLimitOf(spec)) throw tooLarge(bodyLimitOf(spec))
  const hash = requestHash(name, call.params, call.body)
  // A queued change may come again in the words of a newer app; a direct caller repeats it as it was.
  const target = spec.queueable ? requestTarget(name, call.params) : hash
  return { scope: keyScope(spec, call), key, hash, target, again: call.again !== null }
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

/** On routes for anyone it is the device's even with a session: the same change may be sent once with and once without one. */
function keyScope(spec: RouteSpec, call: RouteCall): KeyScope {
  return spec.access === 'anyone' || !call.caller ? deviceScope(call.device) : `user:${call.caller.userId}`
}

export function deviceScope(device: Device | null): KeyScope {
  return `device:${device?.id ?? ''}`
}

/**
 * Final refusals are stored. Signing in or waiting can change 401 and 429, and another device's changes any refusal of a
 * change that is offered again.
 */
export function isFinal(problem: ProblemError, { again }: Pick<RouteCall, 'again'>): boolean {
  return again === null && problem.status < 500 && problem.status !== 401 && problem.status !== 429
}

/** Throws when the answer is not what the table promises, so that nothing leaks out. */
export function answerText(name: RouteName, spec: RouteSpec, answer: unknown): string | null {
  if (spec.answer === null) return null
  if (isJsonText(answer)) return answer.jsonText
  const parsed = spec.answer.safeParse(answer)
  if (parsed.success) return JSON.stringify(parsed.data)
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`)
  throw new Error(`The answer of ${name} is not what the table promises: ${issues.join(', ')}`)
}

export function isJsonText(answer: unknown): answer is JsonText {
  return typeof answer === 'object' && answer !== null && typeof (answer as Partial<JsonText>).jsonText === 'string'
}

/** None for a visitor's refusal: it changed nothing, and could fill the table. */
export function auditLine(
  name: RouteName,
  call: RouteCall,
  { params }: Pick<ValidInput, 'params'>,
  status: number,
  signedIn: number | null = null,
): AuditLine | null {
  if (!call.caller && status >= 400) return null
  const [subject] = Object.values((params ?? {}) as Record<string, string | number>)
  return {
    userId: call.caller?.userId ?? signedIn,
    deviceId: call.device?.id ?? null,
    route: name,
    subject: subject === undefined ? null : String(subject),
    status,
    requestId: call.requestId,
  }
}

/** A visitor's, with the point of its entry, fits into what is allowed every quarter of an hour. */
const MOST_POINTS = { visitor: 135, account: 1000 }
/** So many bytes of contents fill a kilobyte on the disk. */
const BYTES_PER_POINT = 930
/** What an entry of a batch costs beside its change, even an unreadable one. */
export const ENTRY_POINTS = 1
const REFUSED_POINTS = 1

/** A point for its rows, and those for its body. */
export function costOf({ body, caller }: Pick<RouteCall, 'body' | 'caller'>): number {
  return Math.min(1 + Math.ceil(bytesOf(body) / BYTES_PER_POINT), caller ? MOST_POINTS.account : MOST_POINTS.visitor)
}

/** Beside `costOf`: a point for each document, and those for all bytes. */
export function costOfWritten(
  call: Pick<RouteCall, 'body' | 'caller'>,
  documents: readonly string[],
  kept: string | null,
): number {
  const bytes = [kept ?? '', ...documents].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const points = documents.length + Math.ceil(bytes / BYTES_PER_POINT)
  return Math.min(points, (call.caller ? MOST_POINTS.account : MOST_POINTS.visitor) - costOf(call))
}

/** Given back to a refused change. */
export function costUnused(call: Pick<RouteCall, 'body' | 'caller'>, status: number): number {
  return status < 400 ? 0 : costOf(call) - REFUSED_POINTS
}

/** Infinite for what is nested deeper than the stack: its cost is asked before its bounds are checked. */
function bytesOf(body: unknown): number {
  if (body === undefined) return 0
  try {
    return Buffer.byteLength(JSON.stringify(body))
  } catch (error) {
    if (error instanceof RangeError) return Infinity
    throw error
  }
}

/**
 * Spends before any row is written, so that no caller can fill the disk. Reading is free, and so are a visitor's calls
 * without a key, whose handlers count what they leave behind. Throws `too_many_requests`.
 */
export async function spendForChanges(
  spend: SpendAllowance,
  spec: Pick<RouteSpec, 'repeatable'>,
  { caller, address }: Pick<RouteCall, 'caller' | 'address'>,
  points: number,
): Promise<GiveBack> {
  if (spec.repeatable !== undefined && caller) return await spend('account-change', `user:${caller.userId}`, points)
  if (spec.repeatable === 'key') return await spend('visitor-change', address, points)
  return async () => undefined
}

/** Undefined when the points were spent. */
export async function refusedPoints(
  spend: SpendAllowance,
  call: Pick<RouteCall, 'caller' | 'address' | 'requestId'>,
  points: number,
): Promise<Outcome | undefined> {
  try {
    await spendForChanges(spend, { repeatable: 'key' }, call, points)
    return undefined
  } catch (error) {
    return refusal(asProblem(error), call.requestId)
  }
}
