import type { Knex } from 'knex'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes } from '#shared/api/routes.ts'
import { recordChanges, scopeVersion } from '../feed/change-feed.ts'
import { writeAudit } from './audit.ts'
import {
  admit,
  answerText,
  auditLine,
  costOf,
  costUnused,
  isJsonText,
  ENTRY_POINTS,
  prepareCall,
  refusal,
  refusedPoints,
  spendForChanges,
  type Outcome,
  type PipelineParts,
  type PreparedCall,
  type RouteCall,
  type RunRoute,
} from './route-call.ts'
import type { DocumentRouteName } from './handler.ts'
import type { GiveBack } from './limits.ts'
import { findAnswer } from './idempotency.ts'
import {
  enter,
  finish,
  handlerOf,
  ownScope,
  scopedKey,
  runMembers,
  statusOf,
  textOf,
  wholeAnswer,
  type GroupCall,
  type GroupOutcome,
  type Member,
  type Result,
} from './keyed-calls.ts'
import { asProblem, ProblemError } from './problems.ts'
import { validate } from './validation.ts'

export interface BatchProgress {
  /** Lanes with a refused change: their later ones do not run. */
  readonly stopped: Set<string>
  /** Refuses every later change once the sender has no points left. */
  refused?: Outcome | undefined
  /** Bytes the answers may still have. */
  room: number
  /** How many times calls may still be made, alone or many at once. */
  turns: number
}

/** What is left of a batch that is over comes back untouched, to be sent again. */
export const isOver = ({ room, turns }: BatchProgress): boolean => room <= 0 || turns <= 0

const bytesIn = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/**
 * Runs keyed calls of one account with the outcomes they would have one by one, in order. Each takes a point beside its own
 * cost, whatever becomes of it. Never throws for a call's sake.
 */
export type RunGroup = (calls: readonly GroupCall[], progress: BatchProgress) => AsyncGenerator<GroupOutcome>

/** One transaction of key, effect, change feed and answer. Knows nothing of HTTP, so that a batch entry cannot differ. */
export function createRunRoute(parts: PipelineParts): RunRoute {
  const { db, log } = parts

  async function runKeyed(name: DocumentRouteName, spec: RouteSpec, call: RouteCall): Promise<Outcome> {
    const entered = await enter(parts, db, { name, lane: '', call })
    if ('status' in entered) return entered
    const { before } = handlerOf(parts, name)
    if (before || !call.caller) {
      const earlier = await findAnswer(db, entered.key)
      if (earlier) return await wholeAnswer(parts, db, entered, earlier)
    }
    return await counted(spec, call, async () => {
      const act = await before?.(prepareCall(parts, name, call, entered.input, db).given)
      return await db.transaction(async (trx) => {
        const [outcome] = await finish(parts, trx, await runMembers(parts, trx, [{ ...entered, act }]))
        return outcome as Outcome
      })
    })
  }

  async function counted(spec: RouteSpec, call: RouteCall, make: () => Promise<Outcome>): Promise<Outcome> {
    const giveBack = await spendForChanges(parts.spend, spec, call, costOf(call))
    let status = 500
    try {
      const outcome = await make()
      status = outcome.status
      return outcome
    } finally {
      const unused = costUnused(call, status)
      if (unused > 0) await giveBack(unused)
    }
  }

  async function runUnkeyed(name: DocumentRouteName, spec: RouteSpec, call: RouteCall): Promise<Outcome> {
    const input = validate(spec, call)
    return await counted(spec, call, async () => {
      const handler = handlerOf(parts, name)
      const act = handler.before ? await handler.before(prepareCall(parts, name, call, input, db).given) : handler
      return await db.transaction(async (trx) => {
        const { given, touched, wishes } = prepareCall(parts, name, call, input, trx)
        const text = answerText(name, spec, await act(given))
        const versions = await recordChanges(trx, (await parts.present(trx, touched, parts.now())).flat())
        if (call.caller || signedInBy(wishes) !== null || (await hasWritten(trx)))
          await writeAudit(trx, auditLine(name, call, input, spec.status, signedInBy(wishes)))
        const scope = touched.length > 0 ? ownScope(call) : undefined
        const version = scope === undefined ? null : (versions.get(scope) ?? (await scopeVersion(trx, scope)))
        return { status: spec.status, text, version, ...wishes }
      })
    })
  }

  async function run(name: DocumentRouteName, call: RouteCall): Promise<Outcome> {
    const spec: RouteSpec = routes[name]
    if (spec.needsPlans && parts.config.billing === 'off')
      throw new ProblemError('not_found', 'There are no plans on this server.')
    if (spec.repeatable === 'key') return await runKeyed(name, spec, call)
    admit(spec, call)
    if (spec.repeatable === 'naturally') return await runUnkeyed(name, spec, call)
    const { given } = prepareCall(parts, name, call, validate(spec, call), db)
    const answer = await handlerOf(parts, name)(given)
    const next = isJsonText(answer) ? answer.next : undefined
    return { status: spec.status, text: answerText(name, spec, answer), version: null, ...(next ? { next } : {}) }
  }

  return async (name, call) => {
    try {
      return await run(name, call)
    } catch (error) {
      const problem = asProblem(error)
      const about = { route: name, requestId: call.requestId, err: error }
      if (problem.status === 503) log.warn(about, 'a call has to be made again')
      else if (problem.status >= 500) log.error(about, 'a call failed')
      return refusal(problem, call.requestId)
    }
  }
}

/** No outcome before the commit. When the transaction fails as a whole, each call runs in its own. */
export function createRunGroup(parts: PipelineParts, runRoute: RunRoute): RunGroup {
  const { db, log } = parts

  async function* oneByOne(calls: readonly GroupCall[], progress: BatchProgress): AsyncGenerator<GroupOutcome> {
    for (const { name, lane, call } of calls) {
      if (progress.stopped.has(lane) || isOver(progress)) {
        yield 'untouched'
        continue
      }
      // A transaction of its own counts twice.
      progress.turns -= 2
      progress.refused ??= await refusedPoints(parts.spend, call, ENTRY_POINTS)
      const outcome = progress.refused ?? (await runRoute(name, call))
      if (outcome.status >= 300) progress.stopped.add(lane)
      progress.room -= bytesIn(outcome.text)
      yield outcome
    }
  }

  async function runCounted(
    calls: readonly GroupCall[],
    progress: BatchProgress,
  ): Promise<readonly GroupOutcome[] | undefined> {
    const giveBack = await payTogether(parts, calls)
    if (!giveBack) return undefined
    const attempt = { ...progress, stopped: new Set(progress.stopped) }
    try {
      const outcomes = await db.transaction((trx) => runTogether(parts, trx, calls, attempt))
      Object.assign(progress, attempt)
      const unused = calls.map(({ call }, index) => unusedBy(call, outcomes[index]))
      if (total(unused) > 0) await giveBack(total(unused))
      return outcomes
    } catch (error) {
      log.warn({ err: error, calls: calls.length }, 'a group of changes failed and is made one by one')
      await giveBack(costTogether(calls))
      return undefined
    }
  }

  return async function* runGroup(calls, progress) {
    const outcomes = progress.refused || isOver(progress) ? undefined : await runCounted(calls, progress)
    yield* outcomes ?? oneByOne(calls, progress)
  }
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

const costTogether = (calls: readonly GroupCall[]) => total(calls.map(({ call }) => ENTRY_POINTS + costOf(call)))

const unusedBy = (call: RouteCall, outcome: GroupOutcome | undefined): number =>
  outcome === 'untouched' ? ENTRY_POINTS + costOf(call) : costUnused(call, outcome?.status ?? 500)

/**
 * Undefined for a group to be made call by call: too expensive for its sender, or a visitor's, whose calls may name what is
 * not there.
 */
async function payTogether({ spend, log }: PipelineParts, calls: readonly GroupCall[]): Promise<GiveBack | undefined> {
  const [first] = calls
  if (!first?.call.caller) return undefined
  try {
    return await spendForChanges(spend, { repeatable: 'key' }, first.call, costTogether(calls))
  } catch (error) {
    if (!(error instanceof ProblemError)) log.warn({ err: error }, 'could not count a group of changes')
    return undefined
  }
}

async function runTogether(
  parts: PipelineParts,
  trx: Knex.Transaction,
  calls: readonly GroupCall[],
  progress: BatchProgress,
): Promise<GroupOutcome[]> {
  const { stopped } = progress
  const results: Result[] = []
  const byKey = new Map<string, Result>()
  const settle = ({ lane }: GroupCall, result: Result) => {
    results.push(result)
    if (statusOf(result) >= 300) stopped.add(lane)
    progress.room -= bytesIn(textOf(result))
    if (result.kind === 'known' && result.outcome === 'untouched') progress.room = 0
  }

  let next = 0
  while (next < calls.length) {
    const run: Member[] = []
    // A run is one route that takes many at once, with each lane, key and target only once.
    while (next < calls.length) {
      const call = calls[next] as GroupCall
      if (stopped.has(call.lane) || isOver(progress)) {
        if (run.length > 0) break
        results.push({ kind: 'known', outcome: 'untouched' })
        next += 1
        continue
      }
      if (run.length > 0 && !canJoin(parts, run, call)) break
      const member = await enter(parts, trx, call)
      if ('status' in member) {
        if (run.length > 0) break
        progress.turns -= 1
        settle(call, { kind: 'known', outcome: member })
        next += 1
        continue
      }
      const twin = byKey.get(scopedKey(member.key))
      if (twin || run.some(({ key }) => scopedKey(key) === scopedKey(member.key))) {
        if (run.length > 0) break
        if (twin) settle(call, { kind: 'again', of: twin, target: member.key.target, call: call.call })
        next += 1
        continue
      }
      if (run.some(({ key }) => key.target === member.key.target)) break
      run.push(member)
      next += 1
    }
    if (run.length > 0) progress.turns -= 1
    for (const [index, result] of (await runMembers(parts, trx, run, byKey, progress.room)).entries()) {
      const member = run[index] as Member
      if (result.kind === 'made') byKey.set(scopedKey(member.key), result)
      settle(member, result)
    }
  }
  return await finish(parts, trx, results)
}

function canJoin({ handlers }: PipelineParts, run: readonly Member[], { name, lane }: GroupCall): boolean {
  return run[0]?.name === name && handlers[name].many !== undefined && run.every((member) => member.lane !== lane)
}

function signedInBy({ session }: PreparedCall['wishes']): number | null {
  return typeof session === 'object' && 'signIn' in session ? session.signIn : null
}

/** PostgreSQL numbers a transaction with its first change. */
async function hasWritten(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { wrote: boolean }[] }>(
    'select pg_current_xact_id_if_assigned() is not null as wrote',
  )
  return rows[0]?.wrote === true
}
