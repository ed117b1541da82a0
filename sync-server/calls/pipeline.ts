import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes } from '#shared/api/routes.ts'
import type { Basis } from '#shared/record/basis.ts'
import type { Config } from '../config.ts'
import type { Writing } from '../db/column-names.ts'
import { checkpointOf } from '../feed/checkpoint.ts'
import { loadBases } from './bases.ts'
import { admit, bytesOf, isFinal, keyOf, ownScope, refusal, type Outcome, type RouteCall } from './call.ts'
import { logFailure } from './failure-log.ts'
import { groupsOf, type LaneCall } from './groups.ts'
import {
  handlerOf,
  isJsonText,
  type AnyHandler,
  type DocumentRouteName,
  type FirstAnswer,
  type HandlerCall,
  type Handlers,
  type JsonText,
  type MadeAtOnce,
  type Make,
  type SessionWish,
  type ShowTo,
} from './handler.ts'
import { claimKeys, findAnswer, releaseKeys, type ClaimedKey, type StoredAnswer } from './idempotency.ts'
import { costOfChange, type SpendAllowance } from './limits.ts'
import { asProblem, ProblemError } from './problems.ts'
import { auditLine, recordCalls, writeNow, type CallRecord } from './record-calls.ts'
import type { PresentTouched, Touched } from './touched.ts'
import { answerText, validate, type ValidInput } from './validation.ts'

export type CallOutcome = Outcome | 'untouched'

/** Says what a batch may still do. */
export interface Budget {
  /** These lanes have a refused change. */
  readonly stopped: Set<string>
  /** How many times handlers may still be asked to make calls, one or many at once. */
  turns: number
}

export interface PipelineParts {
  readonly db: Knex
  readonly config: Config
  readonly log: Logger
  readonly handlers: Handlers
  readonly present: PresentTouched
  readonly showTo: ShowTo
  readonly spend: SpendAllowance
  readonly now: () => Date
}

export interface Pipeline {
  runCall(name: DocumentRouteName, call: RouteCall): Promise<Outcome>
  /**
   * Gives the outcomes that the calls of one sender would have one by one, in order. What the budget leaves is
   * untouched.
   */
  runCalls(calls: readonly LaneCall[], budget: Budget): AsyncGenerator<CallOutcome>
}

interface Entered extends LaneCall {
  readonly spec: RouteSpec
  readonly handler: AnyHandler
  readonly key: ClaimedKey | null
  /** It is null for a repeat that is not valid any more. */
  readonly input: ValidInput | null
}

interface Slot {
  readonly laneCall: LaneCall
  readonly entered?: Entered
  outcome?: CallOutcome
  made?: Made
}

interface Made {
  readonly touched: readonly Touched[]
  readonly text: string | null
  readonly session?: SessionWish
  readonly record: CallRecord
}

/** Plain calls and the calls of a batch take one road: a plain call is a batch of one. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { db, log, handlers } = parts

  function prepare({ name, call, input }: Entered, on: Knex, basis?: Basis) {
    const touched: Touched[] = []
    const wishes: { session?: SessionWish } = {}
    const given = {
      ...call,
      ...input,
      db: on,
      now: parts.now(),
      again: call.again,
      basis,
      config: parts.config,
      get log() {
        return log.child({ route: name, requestId: call.requestId })
      },
      spend: parts.spend,
      wishSession: (wish: SessionWish) => {
        wishes.session = wish
      },
      touch: (...more: readonly Touched[]) => touched.push(...more),
    } as unknown as HandlerCall<DocumentRouteName>
    return { given, touched, wishes }
  }

  /** Throws refusals that are not stored. */
  async function enter({ problem, ...laneCall }: LaneCall): Promise<Entered | Outcome> {
    if (problem) throw problem
    const { name, call } = laneCall
    const spec: RouteSpec = routes[name]
    const handler = handlerOf(handlers, name)
    if (spec.needsPlans && parts.config.billing === 'off')
      throw new ProblemError('not_found', 'There are no plans on this server.')
    admit(spec, call)
    const key = spec.repeatable === 'key' ? keyOf(name, spec, call) : null
    const entered = { ...laneCall, spec, handler, key }
    const input = validated(spec, call)
    // Rules may be stricter by now, and what the call names may be gone: its earlier answer still counts.
    if (key && (input instanceof ProblemError || handler.before || handler.find || !call.caller)) {
      const earlier = await findAnswer(db, key)
      const known = input instanceof ProblemError ? null : input
      if (earlier) return await answerAgain(db, { ...entered, input: known }, earlier)
    }
    if (input instanceof ProblemError) throw input
    await handler.find?.(prepare({ ...entered, input }, db).given)
    return { ...entered, input }
  }

  async function answerAgain(on: Knex, entered: Entered, stored: StoredAnswer): Promise<Outcome> {
    const { status, version, checkpoint, refusal: code, document } = stored
    if (code === null) {
      const text = textFor(entered, document) ?? (await presentAgain(on, entered, stored))
      return { status, text, version, checkpoint }
    }
    const current = document === null ? undefined : shownTo(entered, JSON.parse(document) as object)
    return refusal(new ProblemError(code, refusedBefore, { current }), entered.call.requestId)
  }

  const shownTo = ({ call, handler }: Entered, document: object) =>
    (handler.shows ? parts.showTo(call.caller, handler.shows, document) : document) ?? undefined

  const textFor = (entered: Entered, text: string | null) =>
    text && entered.call.caller?.role === 'door' ? JSON.stringify(shownTo(entered, JSON.parse(text) as object)) : text

  /** Null where what the call is about is gone: the change has happened all the same. */
  async function presentAgain(on: Knex, entered: Entered, first: FirstAnswer): Promise<string | null> {
    const { present } = entered.handler
    if (!present || !entered.input) return null
    try {
      return answerText(entered.name, await present(prepare(entered, on).given, first))
    } catch (error) {
      if (error instanceof ProblemError) return null
      throw error
    }
  }

  async function read(entered: Entered): Promise<Outcome> {
    const answer = await entered.handler.make?.(prepare(entered, db).given)
    const { next, etag }: Partial<JsonText> = isJsonText(answer) ? answer : {}
    const text = answerText(entered.name, answer)
    return { status: entered.spec.status, text, version: null, ...(next && { next }), ...(etag && { etag }) }
  }

  async function open(laneCall: LaneCall, { stopped }: Budget): Promise<Slot> {
    if (stopped.has(laneCall.lane)) return { laneCall, outcome: 'untouched' }
    try {
      const entered = await enter(laneCall)
      return 'status' in entered ? { laneCall, outcome: entered } : { laneCall, entered }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      return { laneCall, outcome: refusal(error, laneCall.call.requestId) }
    }
  }

  /** All or nothing: throws where the transaction fails as a whole. */
  async function makeGroup(runs: readonly (readonly LaneCall[])[], budget: Budget): Promise<CallOutcome[]> {
    const slotted: Slot[][] = []
    for (const run of runs) {
      const slots: Slot[] = []
      for (const laneCall of run) slots.push(await open(laneCall, budget))
      slotted.push(slots)
    }
    const slots = slotted.flat()
    const [first] = slots.flatMap(({ entered }) => entered ?? [])
    if (first && slots.length === 1 && first.spec.repeatable === undefined) return [await read(first)]
    await pay(slots)
    // A call with slow work is alone in its group.
    const slow = first?.handler.before && (await first.handler.before(prepare(first, db).given))
    if (first) await db.transaction(async (trx) => await makeSlots(trx, slotted, new Set(budget.stopped), slow))
    return slots.map(({ laneCall: { lane }, outcome = 'untouched' }) => {
      if (budget.stopped.has(lane)) return 'untouched'
      if (isRefused(outcome)) budget.stopped.add(lane)
      return outcome
    })
  }

  /** Comes before any row is written, so that no caller can fill the disk. */
  async function pay(slots: readonly Slot[]): Promise<void> {
    const due = slots.filter(({ entered, outcome, laneCall }) => {
      const { repeatable }: RouteSpec = entered?.spec ?? routes[laneCall.name] ?? {}
      // A visitor's other calls are counted by their handlers.
      return outcome !== 'untouched' && (repeatable === 'key' || (repeatable && laneCall.call.caller))
    })
    const points = due.reduce((sum, slot) => sum + (slot.entered ? costOf(slot.laneCall) : 1), 0)
    const call = due[0]?.laneCall.call
    if (call?.caller) await parts.spend('account-change', `user:${call.caller.userId}`, points)
    else if (call) await parts.spend('visitor-change', call.address, points)
  }

  async function makeSlots(
    trx: Knex.Transaction,
    runs: readonly (readonly Slot[])[],
    stopped: Set<string>,
    slow: Make<DocumentRouteName> | undefined,
  ): Promise<void> {
    const keyed = runs.flat().flatMap(({ entered }) => (entered?.key ? { ...entered, key: entered.key } : []))
    const keys = keyed.map(({ key }) => key)
    const earlier = await claimKeys(trx, keys)
    const claimed = keyed.filter(({ key }) => !earlier.has(key))
    const bases = await loadBases(trx, claimed)

    let writing: Writing | undefined
    for (const run of runs) {
      if (writing) await writeNow(trx, writing)
      writing = undefined
      const due: (Slot & { readonly entered: Entered })[] = []
      for (const slot of run) {
        const { entered, laneCall } = slot
        const known = entered?.key ? earlier.get(entered.key) : undefined
        if (stopped.has(laneCall.lane)) slot.outcome = 'untouched'
        else if (known instanceof ProblemError) slot.outcome = refusal(known, laneCall.call.requestId)
        else if (entered && known) slot.outcome = await answerAgain(trx, entered, known)
        else if (entered && !slot.outcome) due.push(slot as Slot & { readonly entered: Entered })
        if (isRefused(slot.outcome)) stopped.add(laneCall.lane)
      }
      const [first] = due
      if (!first) continue
      const prepared = due.map((slot) => ({ slot, ...prepare(slot.entered, trx, bases.of(slot.entered)) }))
      const given = prepared.map((one) => one.given)
      const made = await makeRun(trx, first.entered, given, slow)
      writing = made.writing
      for (const [index, { slot, ...done }] of prepared.entries()) {
        settle(slot, made.answers[index], done)
        const { record } = slot.made ?? {}
        if (record && record.status < 300) bases.leave(slot.entered, record.leftState)
        if (isRefused(slot.outcome) || (record && record.status >= 300)) stopped.add(slot.laneCall.lane)
      }
    }
    await finish(trx, runs.flat(), writing)
    const stored = new Set(runs.flat().map((slot) => slot.made?.record.key))
    const unmade = keys.filter((key) => !earlier.has(key) && !stored.has(key))
    await releaseKeys(trx, unmade)
  }

  async function makeRun(
    trx: Knex.Transaction,
    { handler, key }: Entered,
    given: readonly HandlerCall<DocumentRouteName>[],
    slow: Make<DocumentRouteName> | undefined,
  ): Promise<MadeAtOnce<DocumentRouteName>> {
    if (handler.makeMany) return await handler.makeMany(given)
    const make = (slow ?? handler.make) as Make<DocumentRouteName>
    const [only] = given as readonly [HandlerCall<DocumentRouteName>]
    // Without a key nothing is stored of a refusal: the whole transaction is undone.
    if (!key) return { answers: [await make(only)] }
    await trx.raw('savepoint effect')
    try {
      return { answers: [await make(only)] }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      await trx.raw('rollback to savepoint effect')
      return { answers: [error] }
    }
  }

  function settle(
    slot: Slot & { readonly entered: Entered },
    answer: unknown,
    { touched, wishes }: Omit<ReturnType<typeof prepare>, 'given'>,
  ) {
    const { entered } = slot
    const { key, call, spec } = entered
    const about = { key, collection: entered.handler.shows ?? null, line: auditLine(entered, wishes.session) }
    if (!(answer instanceof ProblemError)) {
      const { id = null, basis } = (isJsonText(answer) ? {} : (answer ?? {})) as { id?: unknown; basis?: unknown }
      const leftState = spec.changesState && typeof basis === 'string' ? basis : null
      const docId = typeof id === 'number' ? id : null
      const record = { ...about, status: spec.status, refusal: null, leftState, docId }
      slot.made = { touched, text: textFor(entered, answerText(entered.name, answer)), record, ...wishes }
    } else if (isFinal(answer, call)) {
      const { id = null } = (answer.details.current ?? {}) as { id?: number | null }
      // A visitor's refusal changed nothing, and could fill the table of the audit.
      const line = call.caller ? about.line : null
      const record = { ...about, line, status: answer.status, refusal: answer.code, leftState: null, docId: id }
      const problem = answer.toProblem(call.requestId)
      const current = problem.current && shownTo(entered, problem.current)
      slot.made = { touched: [], text: JSON.stringify({ ...problem, current }), record }
    } else slot.outcome = refusal(answer, call.requestId)
  }

  async function finish(trx: Knex.Transaction, slots: readonly Slot[], writing: Writing | undefined): Promise<void> {
    const made = slots.flatMap(({ made: one }) => one ?? [])
    const [first] = slots
    if (made.length === 0 || !first) return
    // All at once: what two calls have touched is loaded once, as the last one leaves it.
    const changes = await parts.present(
      trx,
      made.flatMap(({ touched }) => touched),
      parts.now(),
    )
    const scope = ownScope(first.laneCall.call)
    const records = made.map(({ record }) => record)
    const head = await recordCalls(trx, { changes: changes.flat(), records, scope, writing })
    for (const slot of slots) {
      if (!slot.made) continue
      const { text, record, touched, session } = slot.made
      const isVersioned = scope !== undefined && record.status < 300 && (record.key !== null || touched.length > 0)
      slot.outcome = {
        status: record.status,
        text,
        version: isVersioned ? (head?.version ?? 0) : null,
        ...(isVersioned && { checkpoint: checkpointOf(head) }),
        ...(session && { session }),
      }
    }
  }

  /** A group that fails as a whole is made again call by call; only the call that fails alone is refused. */
  async function runGroup(runs: readonly (readonly LaneCall[])[], budget: Budget): Promise<CallOutcome[]> {
    const [[only, second] = [], more] = runs
    try {
      budget.turns -= runs.length
      return await makeGroup(runs, budget)
    } catch (error) {
      if (only && !second && !more) {
        logFailure(log, error, { route: only.name, requestId: only.call.requestId, message: 'a call failed' })
        budget.stopped.add(only.lane)
        return [refusal(asProblem(error), only.call.requestId)]
      }
      logFailure(log, error, { message: 'a group of changes failed and is made one by one' })
    }
    const outcomes: CallOutcome[] = []
    for (const laneCall of runs.flat())
      outcomes.push(...(budget.turns > 0 ? await runGroup([[laneCall]], budget) : (['untouched'] as const)))
    return outcomes
  }

  async function* runCalls(calls: readonly LaneCall[], budget: Budget): AsyncGenerator<CallOutcome> {
    for (const group of groupsOf(handlers, calls)) {
      const runs = group.slice(0, Math.max(budget.turns, 0))
      if (runs.length > 0) yield* await runGroup(runs, budget)
      for (const _ of group.slice(runs.length).flat()) yield 'untouched'
    }
  }

  return {
    runCalls,
    runCall: async (name, call) => {
      const [outcome] = await runGroup([[{ name, lane: '', call }]], { stopped: new Set(), turns: 1 })
      return outcome as Outcome
    },
  }
}

const refusedBefore = 'This change was refused when it first arrived. The answer was lost on its way.'

const costOf = ({ name, call: { body, caller } }: LaneCall) =>
  costOfChange(name, bytesOf(body), caller ? 'account' : 'visitor')

const isRefused = (outcome: CallOutcome | undefined) =>
  outcome !== undefined && outcome !== 'untouched' && outcome.status >= 300

function validated(spec: RouteSpec, call: RouteCall): ValidInput | ProblemError {
  try {
    return validate(spec, call)
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
}
