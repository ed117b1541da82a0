import type { Knex } from 'knex'
import type { Problem } from '#shared/contract/problem.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes } from '#shared/api/routes.ts'
import { stateOf, stateOfBasis, type Basis } from '#shared/record/basis.ts'
import { recordChangesOf, scopeVersion, type Change, type FeedScope } from '../feed/change-feed.ts'
import { storeAnswers } from './audit.ts'
import {
  admit,
  answerText,
  auditLine,
  costOfWritten,
  isFinal,
  keyOf,
  prepareCall,
  refusal,
  spendForChanges,
  type Outcome,
  type PipelineParts,
  type PreparedCall,
  type RouteCall,
} from './route-call.ts'
import type { DocumentRouteName, Handler } from './handler.ts'
import type { IdempotencyKeyRow } from '../db/rows/operation-rows.ts'
import { claimKeys, findAnswer, keyRows, releaseKey, type ClaimedKey, type StoredAnswer } from './idempotency.ts'
import { ProblemError } from './problems.ts'
import type { Touched } from './touched.ts'
import { validate, type ValidInput } from './validation.ts'

/** After a refusal the later calls of its lane do not run. */
export interface GroupCall {
  readonly name: DocumentRouteName
  readonly lane: string
  readonly call: RouteCall
}

export type GroupOutcome = Outcome | 'untouched'

export interface Member extends GroupCall {
  readonly spec: RouteSpec
  readonly key: ClaimedKey
  readonly input: ValidInput
  readonly basis?: Basis
  readonly act?: Handler<DocumentRouteName> | undefined
}

/** The version is known once the change feed is written, at the end. */
export type Result =
  | { readonly kind: 'known'; readonly outcome: GroupOutcome }
  | {
      readonly kind: 'made'
      readonly member: Member
      readonly status: number
      readonly text: string | null
      /** What is stored: no document for a change that changed nothing. */
      readonly kept: string | null
      /** Names the state its document is in afterwards; null without one or after a refusal. */
      readonly leftState: string | null
      readonly touched: readonly Touched[]
    }
  | { readonly kind: 'again'; readonly of: Result; readonly target: string; readonly call: RouteCall }

/** Access, key, validation, and whether what it names is there. An outcome from here is not stored. */
export async function enter(
  parts: PipelineParts,
  db: Knex,
  { name, lane, call }: GroupCall,
): Promise<Member | Outcome> {
  const spec: RouteSpec = routes[name]
  try {
    admit(spec, call)
    const key = keyOf(name, spec, call)
    let input: ValidInput | undefined
    try {
      input = validate(spec, call)
      await handlerOf(parts, name).find?.(prepareCall(parts, name, call, input, db).given)
      return { name, lane, call, spec, key, input }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      // Rules may be stricter by now, and what the change names may be gone: its earlier answer still stands.
      const earlier = await findAnswer(db, key)
      if (!earlier) throw error
      return input ? await wholeAnswer(parts, db, { name, lane, call, spec, key, input }, earlier) : earlier
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return refusal(error, call.requestId)
  }
}

/**
 * @param before results of this transaction so far, by `scopedKey`
 * @param room bytes that the answers of a handler of many may have
 */
export async function runMembers(
  parts: PipelineParts,
  trx: Knex.Transaction,
  run: readonly Member[],
  before: ReadonlyMap<string, Result> = new Map(),
  room = Infinity,
): Promise<Result[]> {
  if (run.length === 0) return []
  const earlier = await claimKeys(
    trx,
    run.map(({ key }) => key),
  )
  const isNew = run.filter((_, index) => earlier[index] === undefined)
  const fresh = await withBases(trx, isNew, before)
  const [first] = fresh
  // A handler of many writes nothing for a refused call, so it needs no savepoint.
  const isAlone = first !== undefined && fresh.length === 1 && (first.act ?? !handlerOf(parts, first.name).many)
  const made = isAlone ? [await makeOne(parts, trx, first)] : await makeMany(parts, trx, fresh, room)
  const results: Result[] = []
  for (const [index, member] of run.entries()) {
    const answer = earlier[index]
    if (answer instanceof ProblemError) results.push({ kind: 'known', outcome: refusal(answer, member.call.requestId) })
    else if (answer) results.push({ kind: 'known', outcome: await wholeAnswer(parts, trx, member, answer) })
    else results.push(made[isNew.indexOf(member)] as Result)
  }
  return results
}

/** An answer kept without its document gets the present one, or a refusal. */
export async function wholeAnswer(
  parts: PipelineParts,
  db: Knex,
  { name, spec, call, input }: Member,
  earlier: StoredAnswer,
): Promise<Outcome> {
  const { present } = handlerOf(parts, name)
  if (!present) return earlier
  const problem = earlier.status < 400 ? undefined : (JSON.parse(earlier.text ?? '{}') as Partial<Problem>)
  if (problem ? problem.current !== null : earlier.text !== null) return earlier
  try {
    const text = answerText(name, spec, await present(prepareCall(parts, name, call, input, db).given))
    return { ...earlier, text: problem ? JSON.stringify({ ...problem, current: JSON.parse(text ?? 'null') }) : text }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return problem ? earlier : refusal(error, call.requestId)
  }
}

/**
 * A key stands for the state that its change left behind, which may be an older one where there was nothing to do; an
 * unknown key for the state that its change would leave.
 */
async function withBases(
  trx: Knex.Transaction,
  run: readonly Member[],
  before: ReadonlyMap<string, Result>,
): Promise<readonly Member[]> {
  const named = run.filter(({ call }) => call.basis !== undefined)
  if (named.length === 0) return run
  const basisKey = ({ key, call }: Member) => scopedKey({ scope: key.scope, key: call.basis ?? '' })
  const states = new Map<string, string | null>()
  for (const member of named) {
    const result = before.get(basisKey(member))
    if (result?.kind === 'made' && result.status < 300) states.set(basisKey(member), result.leftState)
  }
  const stored = named.filter(
    (member) => member.call.basis !== stateOfBasis(member.call.basis ?? null) && !states.has(basisKey(member)),
  )
  if (stored.length > 0) {
    const keysBefore = stored.map(({ key, call }) => ({ scope: key.scope, key: call.basis ?? '' }))
    const rows = await keyRows(trx, keysBefore).where('status', '<', 300).select('scope', 'key', 'leftState')
    for (const row of rows) states.set(scopedKey(row), row.leftState)
  }
  const resolved = (member: Member): string | null => {
    const left = states.get(basisKey(member))
    return left === undefined ? stateOfBasis(member.call.basis ?? null) : left
  }
  const doubted = named.filter(({ call }) => call.again !== null)
  const known = await findLeftStates(trx, doubted, doubted.map(resolved))
  for (const result of before.values()) {
    if (result.kind !== 'made' || result.status >= 300) continue
    known.set(stateOf(result.member.key.key), result.leftState)
    if (result.leftState !== null) known.set(result.leftState, result.leftState)
  }
  return run.map((member) => {
    const { call } = member
    if (call.basis === undefined) return member
    const state = resolved(member)
    if (call.again === null || state === null) return { ...member, basis: { state } }
    const left = known.get(state)
    return { ...member, basis: left === undefined ? { state, isUnknown: true } : { state: left } }
  })
}

/** After a restore a repeated change may have found its effect there, and then its state is another's. */
async function findLeftStates(
  trx: Knex.Transaction,
  members: readonly Member[],
  asked: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const [first] = members
  const found = new Map<string, string | null>()
  if (!first) return found
  const wanted = asked.flatMap((state) => state ?? []) as unknown as Knex.Value
  const { rows } = await trx.raw<{ rows: { own: string; leftState: string | null }[] }>(
    `select * from (
       select encode(substring(sha256(convert_to(key, 'UTF8')) from 1 for 12), 'hex') as own, left_state
       from idempotency_keys where scope = ? and status < 300
     ) k where own = any(?) or left_state = any(?)`,
    [first.key.scope, wanted, wanted],
  )
  for (const { leftState } of rows) if (leftState !== null) found.set(leftState, leftState)
  for (const { own, leftState } of rows) found.set(own, leftState)
  return found
}

function leftStateOf({ spec }: Member, answer: unknown): string | null {
  const basis = spec.changesState && (answer as { readonly basis?: unknown }).basis
  return typeof basis === 'string' ? basis : null
}

async function makeOne(parts: PipelineParts, trx: Knex.Transaction, member: Member): Promise<Result> {
  await trx.raw('savepoint effect')
  const prepared = prepareCall(parts, member.name, member.call, member.input, trx, member.basis)
  let answer: unknown
  try {
    const act = member.act ?? handlerOf(parts, member.name)
    answer = await act(prepared.given)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await trx.raw('rollback to savepoint effect')
    answer = error
  }
  await trx.raw('release savepoint effect')
  return await resultOf(parts, trx, member, answer, prepared)
}

async function makeMany(
  parts: PipelineParts,
  trx: Knex.Transaction,
  run: readonly Member[],
  room: number,
): Promise<Result[]> {
  const [first] = run
  if (!first) return []
  const { many } = handlerOf(parts, first.name)
  if (!many) throw new Error(`${first.name} does not take many calls at once`)
  const prepared = run.map((member) => prepareCall(parts, member.name, member.call, member.input, trx, member.basis))
  const answers = await many(
    prepared.map(({ given }) => given),
    room,
  )
  const results: Result[] = []
  for (const [index, member] of run.entries()) {
    results.push(await resultOf(parts, trx, member, answers[index], prepared[index] as PreparedCall))
  }
  return results
}

export function handlerOf(parts: PipelineParts, name: DocumentRouteName): Handler<DocumentRouteName> {
  return parts.handlers[name] as unknown as Handler<DocumentRouteName>
}

async function resultOf(
  parts: PipelineParts,
  trx: Knex.Transaction,
  member: Member,
  answer: unknown,
  { touched }: PreparedCall,
): Promise<Result> {
  if (answer === 'untouched') {
    await releaseKey(trx, member.key)
    return { kind: 'known', outcome: 'untouched' }
  }
  const canPresent = handlerOf(parts, member.name).present !== undefined
  if (!(answer instanceof ProblemError)) {
    const text = answerText(member.name, member.spec, answer)
    const kept = canPresent && touched.length === 0 ? null : text
    return {
      kind: 'made',
      member,
      status: member.spec.status,
      text,
      kept,
      leftState: leftStateOf(member, answer),
      touched,
    }
  }
  if (isFinal(answer, member.call)) {
    const problem = answer.toProblem(member.call.requestId)
    const text = JSON.stringify(problem)
    const kept = canPresent && problem.current !== undefined ? JSON.stringify({ ...problem, current: null }) : text
    return { kind: 'made', member, status: answer.status, text, kept, leftState: null, touched: [] }
  }
  await releaseKey(trx, member.key)
  return { kind: 'known', outcome: refusal(answer, member.call.requestId) }
}

export function statusOf(result: Result): number {
  if (result.kind === 'again')
    return result.of.kind === 'made' && result.of.member.key.target === result.target ? result.of.status : 422
  if (result.kind === 'made') return result.status
  return result.outcome === 'untouched' ? 0 : result.outcome.status
}

export function textOf(result: Result): string | null {
  if (result.kind === 'again') return textOf(result.of)
  if (result.kind === 'made') return result.text
  return result.outcome === 'untouched' ? null : result.outcome.text
}

/** The last statements, because the feed's locks hold up every writer of the scope. */
export async function finish(
  parts: PipelineParts,
  trx: Knex.Transaction,
  results: readonly Result[],
): Promise<GroupOutcome[]> {
  const made = results.filter((result) => result.kind === 'made')
  // All at once: what two calls have touched is loaded once, as the last one leaves it.
  const presented = [
    ...(await parts.present(
      trx,
      made.flatMap(({ touched }) => touched),
      parts.now(),
    )),
  ]
  const changes = made.map(({ touched }) => presented.splice(0, touched.length).flat())
  await payForWritten(parts, made, changes)
  const { newest, ofEach } = await recordChangesOf(trx, changes)
  const scopes = new Set(made.flatMap(({ member }) => ownScope(member.call) ?? []))
  const heads = new Map<FeedScope, number>(newest)
  for (const scope of scopes) if (!heads.has(scope)) heads.set(scope, await scopeVersion(trx, scope))

  const answers = new Map<Result, StoredAnswer>()
  for (const [index, result] of made.entries()) {
    const scope = ownScope(result.member.call)
    const version =
      scope === undefined || result.status >= 300 ? null : (ofEach[index]?.get(scope) ?? heads.get(scope) ?? null)
    answers.set(result, { status: result.status, text: result.text, version })
  }
  await storeAnswers(
    trx,
    made.map((result) => ({
      ...result.member.key,
      answer: { ...(answers.get(result) as StoredAnswer), text: result.kept },
      leftState: result.leftState,
      line: auditLine(result.member.name, result.member.call, result.member.input, result.status),
    })),
  )
  return results.map((result) => {
    if (result.kind === 'known') return result.outcome
    if (result.kind === 'made') return answers.get(result) as StoredAnswer
    const earlier = answers.get(result.of)
    if (earlier && result.of.kind === 'made' && result.of.member.key.target === result.target) return earlier
    return refusal(
      new ProblemError('key_reused', 'The Idempotency-Key belongs to another request.'),
      result.call.requestId,
    )
  })
}

/** Comes before the locks of the change feed are taken. Throws `too_many_requests`, and the transaction is undone. */
async function payForWritten(
  { spend }: PipelineParts,
  made: readonly (Result & { kind: 'made' })[],
  changes: readonly (readonly Change[])[],
): Promise<void> {
  const [first] = made
  if (!first) return
  const points = made.map(({ member, status, kept }, index) => {
    if (status >= 300) return 0
    const documents = (changes[index] ?? []).map(({ document }) => (document ? JSON.stringify(document) : ''))
    return costOfWritten(member.call, documents, kept)
  })
  const total = points.reduce((sum, each) => sum + each, 0)
  if (total > 0) await spendForChanges(spend, first.member.spec, first.member.call, total)
}

export const scopedKey = ({ scope, key }: Pick<IdempotencyKeyRow, 'scope' | 'key'>) => `${scope} ${key}`

export function ownScope({ caller }: RouteCall): FeedScope | undefined {
  return caller ? `org:${caller.userId}` : undefined
}
