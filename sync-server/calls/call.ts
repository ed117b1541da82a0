import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { RouteName } from '#shared/api/routes.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { Config } from '../config.ts'
import { checkAccess, checkAccount, type SignedOutReason } from './access.ts'
import type { AuditLine } from './audit.ts'
import { checkBounds, tooLarge } from './request-body.ts'
import type { Caller, Device, DocumentRouteName, HandlerCall, Handlers, JsonText, SessionControl } from './handler.ts'
import type { GiveBack, SpendAllowance } from './limits.ts'
import { requestHash, requestTarget, type ClaimedKey, type KeyScope } from './idempotency.ts'
import { asProblem, ProblemError } from './problems.ts'
import type { PresentTouched, Touched } from './touched.ts'
import type { RawInput, ValidInput } from './validation.ts'

/** One call, however it came: as a request of its own or as an entry of a batch. */
export interface RouteCall extends RawInput {
  readonly caller: Caller | null
  readonly signedOut: SignedOutReason
  readonly device: Device | null
  /** Names the caller's session in the database; null without one. */
  readonly sessionHash: string | null
  /** As `HandlerCall.browser`. */
  readonly browser: string | null
  /** As `HandlerCall.address`. */
  readonly address: string
  /** What opens an applicant's own page, as the sender gave it; null without one. */
  readonly applicationToken: string | null
  readonly requestId: string
  /** The Idempotency-Key, already known to be a uuid. */
  readonly key: string | null
  /** The account the change belongs to, when the sender said so. */
  readonly account: number | null
  /** As in `mutationEntry`; null for what is sent for the first time. */
  readonly again: 'taken' | 'new' | null
  /** As in `mutationEntry`; undefined where its sender names none. */
  readonly basis: string | null | undefined
}

/** What a handler wished for the session; done by the mount once the transaction is committed. */
type SessionWish = { readonly signIn: number } | { readonly rememberBrowser: number } | 'sign-out'

/** What became of a call. */
export interface Outcome {
  readonly status: number
  /** Finished JSON text; null for no body. */
  readonly text: string | null
  /** Version of the caller's own `org` scope that includes this change. */
  readonly version: number | null
  readonly retryAfterSeconds?: number
  /** As `JsonText.next`. */
  readonly next?: string | null
  readonly session?: SessionWish
}

export interface PipelineParts {
  readonly db: Knex
  readonly config: Config
  readonly log: Logger
  readonly handlers: Handlers
  /** Who sees what a call has written. */
  readonly present: PresentTouched
  readonly spend: SpendAllowance
  readonly now: () => Date
}

/** Runs a call through its route. Never throws: a refusal or failure is an outcome too. */
export type RunRoute = (name: DocumentRouteName, call: RouteCall) => Promise<Outcome>

/** A call as its handler is to receive it, and what it hands over while it runs. */
export interface PreparedCall {
  readonly given: HandlerCall<DocumentRouteName>
  readonly touched: Touched[]
  readonly wishes: { session?: SessionWish }
}

/** Makes a validated call ready for its handler. `on` is the transaction it runs in, `basis` the state it was made on. */
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
  const session: SessionControl = {
    signIn: async (userId) => {
      wishes.session = { signIn: userId }
    },
    signOut: async () => {
      wishes.session = 'sign-out'
    },
    rememberBrowser: async (userId) => {
      wishes.session = { rememberBrowser: userId }
    },
  }
  const given = {
    ...input,
    db: on,
    caller: call.caller,
    device: call.device,
    sessionHash: call.sessionHash,
    browser: call.browser,
    address: call.address,
    applicationToken: call.applicationToken,
    now: parts.now(),
    requestId: call.requestId,
    key: call.key,
    again: call.again === 'taken',
    basis,
    config: parts.config,
    log: parts.log.child({ route: name, requestId: call.requestId }),
    session,
    spend: parts.spend,
    touch: (...more: readonly Touched[]) => touched.push(...more),
  } as unknown as HandlerCall<DocumentRouteName>
  return { given, touched, wishes }
}

/** Who may make this call: throws when its sender may not. */
export function admit(spec: RouteSpec, call: RouteCall): void {
  checkAccess(spec.access, call.caller, call.signedOut)
  // A stale header must not keep anyone from reading what is public, or from signing in or out.
  if (call.account !== null && (spec.access !== 'anyone' || spec.repeatable === 'key')) {
    checkAccount(call.account, call.caller, call.signedOut)
  }
}

/** What a plain call brings at most, and so an entry of a batch too. */
export const BODY_LIMIT = 64 * 1024

/** The key of a keyed call, with the request it stands for. Throws when it has none, or is larger than any call. */
export function keyOf(name: DocumentRouteName, spec: RouteSpec, call: RouteCall): ClaimedKey {
  const { key } = call
  if (key === null) throw new ProblemError('invalid_input', 'This call needs an Idempotency-Key header with a uuid.')
  checkBounds([call.params, call.body])
  if (bytesOf(call.body) > BODY_LIMIT) throw tooLarge(BODY_LIMIT)
  const hash = requestHash(name, call.params, call.body)
  // A change that was queued may come again in the words of a newer app; a direct caller repeats it as it was.
  const target = spec.queueable ? requestTarget(name, call.params) : hash
  return { scope: keyScope(spec, call), key, hash, target, again: call.again !== null }
}

/** A refusal as an outcome. */
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
 * A visitor's key belongs to the device. On routes for anyone it always does, signed in or not: the same change may be
 * sent once with and once without a session.
 */
function keyScope(spec: RouteSpec, call: RouteCall): KeyScope {
  return spec.access === 'anyone' || !call.caller ? deviceScope(call.device) : `user:${call.caller.userId}`
}

/** The key scope of a device; callers that name none share one, their keys being uuids. */
export function deviceScope(device: Device | null): KeyScope {
  return `device:${device?.id ?? ''}`
}

/**
 * Asking again later cannot change it, so it is stored. Signing in or waiting can change 401 and 429, and what another device
 * offers again can change any refusal of a change that is offered again itself.
 */
export function isFinal(problem: ProblemError, { again }: Pick<RouteCall, 'again'>): boolean {
  return again === null && problem.status < 500 && problem.status !== 401 && problem.status !== 429
}

/** The answer as JSON text. Throws when it is not what the table promises: a mistake of ours, which must not leak out. */
export function answerText(name: RouteName, spec: RouteSpec, answer: unknown): string | null {
  if (spec.answer === null) return null
  if (isJsonText(answer)) return answer.jsonText
  const parsed = spec.answer.safeParse(answer)
  if (parsed.success) return JSON.stringify(parsed.data)
  const places = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`)
  throw new Error(`The answer of ${name} is not what the table promises: ${places.join(', ')}`)
}

export function isJsonText(answer: unknown): answer is JsonText {
  return typeof answer === 'object' && answer !== null && typeof (answer as Partial<JsonText>).jsonText === 'string'
}

/**
 * The line of a call: what it was about is the number in its path, as validation understood it. None for what a visitor
 * was refused: it changed nothing, and anybody could fill the table with it.
 */
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

/** What one change costs at most: a visitor's, with the point of its entry, fits into what is allowed every quarter of an hour. */
const MOST_POINTS = { visitor: 135, account: 1000 }
/** So many bytes of contents fill a kilobyte on the disk. */
const BYTES_PER_POINT = 930
/** What an entry of a batch costs beside its change, also when it cannot be read. */
export const ENTRY_POINTS = 1
/** What a change that was refused has cost: its key is kept. */
const REFUSED_POINTS = 1

/** What a change costs before it is made: one point for its rows, and those for what it brings. */
export function costOf({ body, caller }: Pick<RouteCall, 'body' | 'caller'>): number {
  return Math.min(1 + Math.ceil(bytesOf(body) / BYTES_PER_POINT), caller ? MOST_POINTS.account : MOST_POINTS.visitor)
}

/**
 * What it costs beside that once it is known what is to be written: one point for each document, and those for the bytes of all
 * documents and of the answer that is kept.
 */
export function costOfWritten(
  call: Pick<RouteCall, 'body' | 'caller'>,
  documents: readonly string[],
  kept: string | null,
): number {
  const bytes = [kept ?? '', ...documents].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const points = documents.length + Math.ceil(bytes / BYTES_PER_POINT)
  return Math.min(points, (call.caller ? MOST_POINTS.account : MOST_POINTS.visitor) - costOf(call))
}

/** What is given back of that when the change was refused. */
export function costUnused(call: Pick<RouteCall, 'body' | 'caller'>, status: number): number {
  return status < 400 ? 0 : costOf(call) - REFUSED_POINTS
}

/** Without end for what is nested deeper than the stack: it is counted before its bounds are checked and it is refused. */
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
 * Counts changes before any row is written for them, so that no caller can fill the disk: a signed-in user's by account,
 * a visitor's by address. Reading is free, and so are a visitor's calls without a key, such as signing in: what those
 * leave behind is counted where they are handled. Answers what gives points back; throws `too_many_requests`.
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

/** The refusal of a change that its sender has no points left for; undefined when it was counted. */
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
