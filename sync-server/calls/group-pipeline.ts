import type { Knex } from 'knex'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes } from '#shared/api/routes.ts'
import { recordChangesOf, scopeVersion, type FeedScope } from '../feed/change-feed.ts'
import { storeAnswers } from './audit.ts'
import { costOf, spendForChanges } from './change-allowance.ts'
import type { DocumentRouteName, Handler } from './handler.ts'
import { claimKeys, findAnswer, releaseKey, type ClaimedKey, type StoredAnswer } from './idempotency.ts'
import {
  admit,
  answerText,
  auditLine,
  isFinal,
  keyOf,
  prepareCall,
  refusal,
  type Outcome,
  type PipelineParts,
  type PreparedCall,
  type RouteCall,
  type RunRoute,
} from './pipeline.ts'
import { ProblemError } from './problems.ts'
import type { Touched } from './touched.ts'
import { validate, type ValidInput } from './validation.ts'

/** One keyed call of a group. After a refusal the later calls of its lane do not run. */
export interface GroupCall {
  readonly name: DocumentRouteName
  readonly lane: string
  readonly call: RouteCall
}

export type GroupOutcome = Outcome | 'untouched'

/**
 * Runs keyed calls of one account in order, with the outcomes they would have one by one, and answers them in order.
 * A lane in `stopped` does not run; refused ones are added. Never throws for a call's sake.
 */
export type RunGroup = (calls: readonly GroupCall[], stopped: Set<string>) => AsyncGenerator<GroupOutcome>

/** A call on its way through the group's transaction. */
interface Member extends GroupCall {
  readonly spec: RouteSpec
  readonly key: ClaimedKey
  readonly input: ValidInput
}

/** What a member has come to so far; its version is known when the change feed is written, at the end. */
type Result =
  | { readonly kind: 'known'; readonly outcome: GroupOutcome }
  | {
      readonly kind: 'made'
      readonly member: Member
      readonly status: number
      readonly text: string | null
      readonly touched: readonly Touched[]
    }
  /** The same key once more in one group. */
  | { readonly kind: 'again'; readonly of: Result; readonly target: string; readonly call: RouteCall }

/**
 * The pipeline for many calls at once: one transaction, one statement for all their keys, one for the change feed, one
 * for their answers, and no outcome before the commit. What a refused call did is undone alone. When the transaction
 * fails as a whole, its calls are run one by one, each in its own.
 */
export function createRunGroup(parts: PipelineParts, runRoute: RunRoute): RunGroup {
  const { db, log } = parts

  async function* oneByOne(calls: readonly GroupCall[], stopped: Set<string>): AsyncGenerator<GroupOutcome> {
    for (const { name, lane, call } of calls) {
      if (stopped.has(lane)) {
        yield 'untouched'
        continue
      }
      const outcome = await runRoute(name, call)
      if (outcome.status >= 300) stopped.add(lane)
      yield outcome
    }
  }

  return async function* runGroup(calls, stopped) {
    if (calls.length > 1 && (await mayRunTogether(parts, calls))) {
      const stoppedHere = new Set(stopped)
      let outcomes: readonly GroupOutcome[] | undefined
      try {
        outcomes = await db.transaction((trx) => runTogether(parts, trx, calls, stoppedHere))
      } catch (error) {
        log.warn({ err: error, calls: calls.length }, 'a group of changes failed and is made one by one')
      }
      if (outcomes) {
        for (const lane of stoppedHere) stopped.add(lane)
        yield* outcomes
        return
      }
    }
    yield* oneByOne(calls, stopped)
  }
}

/** Pays for a whole group at once. One that is too much for its sender is made call by call, as far as it goes. */
async function mayRunTogether({ spend, log }: PipelineParts, calls: readonly GroupCall[]): Promise<boolean> {
  const [first] = calls
  if (!first) return false
  const points = calls.reduce((sum, { call }) => sum + costOf(call), 0)
  try {
    await spendForChanges(spend, routes[first.name], first.call, points)
    return true
  } catch (error) {
    if (!(error instanceof ProblemError)) log.warn({ err: error }, 'could not count a group of changes')
    return false
  }
}

async function runTogether(
  parts: PipelineParts,
  trx: Knex.Transaction,
  calls: readonly GroupCall[],
  stopped: Set<string>,
): Promise<GroupOutcome[]> {
  const results: Result[] = []
  const byKey = new Map<string, Result>()
  const settle = ({ lane }: GroupCall, result: Result) => {
    results.push(result)
    if (statusOf(result) >= 300) stopped.add(lane)
  }

  let next = 0
  while (next < calls.length) {
    const run: Member[] = []
    // As far as a run goes: one route that takes many at once, each lane and key only once.
    while (next < calls.length) {
      const call = calls[next] as GroupCall
      if (stopped.has(call.lane)) {
        if (run.length > 0) break
        results.push({ kind: 'known', outcome: 'untouched' })
        next += 1
        continue
      }
      if (run.length > 0 && !canJoin(parts, run, call)) break
      const member = await enter(trx, call)
      if ('status' in member) {
        if (run.length > 0) break
        settle(call, { kind: 'known', outcome: member })
        next += 1
        continue
      }
      const twin = byKey.get(placeOf(member.key))
      if (twin || run.some(({ key }) => placeOf(key) === placeOf(member.key))) {
        if (run.length > 0) break
        if (twin) settle(call, { kind: 'again', of: twin, target: member.key.target, call: call.call })
        next += 1
        continue
      }
      run.push(member)
      next += 1
    }
    for (const [index, result] of (await runMembers(parts, trx, run)).entries()) {
      const member = run[index] as Member
      if (result.kind === 'made') byKey.set(placeOf(member.key), result)
      settle(member, result)
    }
  }
  return await finish(parts, trx, results)
}

const placeOf = ({ scope, key }: ClaimedKey) => `${scope} ${key}`

function canJoin({ handlers }: PipelineParts, run: readonly Member[], { name, lane }: GroupCall): boolean {
  return run[0]?.name === name && handlers[name].many !== undefined && run.every((member) => member.lane !== lane)
}

/** Access, key and validation, as for a plain call: the member, or the outcome that is not stored. */
async function enter(trx: Knex.Transaction, { name, lane, call }: GroupCall): Promise<Member | Outcome> {
  const spec: RouteSpec = routes[name]
  try {
    admit(spec, call)
    const key = keyOf(name, spec, call)
    try {
      return { name, lane, call, spec, key, input: validate(spec, call) }
    } catch (error) {
      const earlier = await findAnswer(trx, key)
      if (earlier) return earlier
      throw error
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return refusal(error, call.requestId)
  }
}

/** Claims the keys of a run and does what is new among it. */
async function runMembers(parts: PipelineParts, trx: Knex.Transaction, run: readonly Member[]): Promise<Result[]> {
  if (run.length === 0) return []
  const earlier = await claimKeys(
    trx,
    run.map(({ key }) => key),
  )
  const fresh = run.filter((_, index) => earlier[index] === undefined)
  const made = fresh.length === 1 ? [await makeOne(parts, trx, fresh[0] as Member)] : await makeMany(parts, trx, fresh)
  return run.map((member, index) => {
    const answer = earlier[index]
    if (answer instanceof ProblemError) return { kind: 'known', outcome: refusal(answer, member.call.requestId) }
    return answer ? { kind: 'known', outcome: answer } : (made[fresh.indexOf(member)] as Result)
  })
}

async function makeOne(parts: PipelineParts, trx: Knex.Transaction, member: Member): Promise<Result> {
  await trx.raw('savepoint effect')
  const prepared = prepareCall(parts, member.name, member.call, member.input, trx)
  let answer: unknown
  try {
    answer = await handlerOf(parts, member)(prepared.given)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await trx.raw('rollback to savepoint effect')
    answer = error
  }
  await trx.raw('release savepoint effect')
  return await resultOf(trx, member, answer, prepared)
}

async function makeMany(parts: PipelineParts, trx: Knex.Transaction, run: readonly Member[]): Promise<Result[]> {
  const [first] = run
  if (!first) return []
  const { many } = handlerOf(parts, first)
  if (!many) throw new Error(`${first.name} does not take many calls at once`)
  const prepared = run.map((member) => prepareCall(parts, member.name, member.call, member.input, trx))
  const answers = await many(prepared.map(({ given }) => given))
  const results: Result[] = []
  for (const [index, member] of run.entries()) {
    results.push(await resultOf(trx, member, answers[index], prepared[index] as PreparedCall))
  }
  return results
}

function handlerOf(parts: PipelineParts, { name }: Member): Handler<DocumentRouteName> {
  return parts.handlers[name] as unknown as Handler<DocumentRouteName>
}

async function resultOf(
  trx: Knex.Transaction,
  member: Member,
  answer: unknown,
  { touched }: PreparedCall,
): Promise<Result> {
  if (!(answer instanceof ProblemError)) {
    return {
      kind: 'made',
      member,
      status: member.spec.status,
      text: answerText(member.name, member.spec, answer),
      touched,
    }
  }
  if (isFinal(answer, member.call)) {
    const text = JSON.stringify(answer.toProblem(member.call.requestId))
    return { kind: 'made', member, status: answer.status, text, touched: [] }
  }
  await releaseKey(trx, member.key)
  return { kind: 'known', outcome: refusal(answer, member.call.requestId) }
}

function statusOf(result: Result): number {
  if (result.kind === 'again')
    return result.of.kind === 'made' && result.of.member.key.target === result.target ? result.of.status : 422
  if (result.kind === 'made') return result.status
  return result.outcome === 'untouched' ? 0 : result.outcome.status
}

/** The last statements: the change feed, then every answer with the version its own changes got. */
async function finish(
  parts: PipelineParts,
  trx: Knex.Transaction,
  results: readonly Result[],
): Promise<GroupOutcome[]> {
  const made = results.filter((result) => result.kind === 'made')
  // All of the group at once: what two calls have touched is loaded once, as the last one leaves it.
  const presented = [
    ...(await parts.present(
      trx,
      made.flatMap(({ touched }) => touched),
      parts.now(),
    )),
  ]
  const { newest, ofEach } = await recordChangesOf(
    trx,
    made.map(({ touched }) => presented.splice(0, touched.length).flat()),
  )
  const scopes = new Set(made.flatMap(({ member }) => ownScope(member) ?? []))
  const heads = new Map<FeedScope, number>(newest)
  for (const scope of scopes) if (!heads.has(scope)) heads.set(scope, await scopeVersion(trx, scope))

  const answers = new Map<Result, StoredAnswer>()
  for (const [index, result] of made.entries()) {
    const scope = ownScope(result.member)
    const version =
      scope === undefined || result.status >= 300 ? null : (ofEach[index]?.get(scope) ?? heads.get(scope) ?? null)
    answers.set(result, { status: result.status, text: result.text, version })
  }
  await storeAnswers(
    trx,
    made.map((result) => ({
      ...result.member.key,
      answer: answers.get(result) as StoredAnswer,
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

function ownScope({ call }: Member): FeedScope | undefined {
  return call.caller ? `org:${call.caller.userId}` : undefined
}
