import type { Knex } from 'knex'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type * as z from 'zod'
import { type RouteName, routes } from '#shared/api/routes.ts'
import { headers } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { mutationEntry } from '#shared/sync/replication-calls.ts'
import { checkAccount, signInProblem } from '../calls/access.ts'
import { deviceScope, ENTRY_POINTS, refusal, refusedPoints, type RouteCall } from '../calls/route-call.ts'
import type { DocumentRouteName, Handler } from '../calls/handler.ts'
import type { SpendAllowance } from '../calls/limits.ts'
import { cancelKeys, type KeyScope } from '../calls/idempotency.ts'
import type { GroupCall, GroupOutcome } from '../calls/keyed-calls.ts'
import { isOver, type BatchProgress, type RunGroup } from '../calls/pipeline.ts'
import { ProblemError } from '../calls/problems.ts'
import { validate } from '../calls/validation.ts'
import type { ApiContext } from '../http/mount.ts'
import { countRefusals, noteRefusals, type Refusals } from './refused-change-store.ts'

type Entry = z.output<typeof mutationEntry>
type Batch = { readonly account: number | null; readonly entries: readonly Entry[] }

/**
 * A transaction's most changes: its commit is cheap for each, the first answers come soon, and its locks delay no other
 * call for long.
 */
const groupSize = 100
/** What is left comes back untouched. */
const mostAnswerBytes = 1_000_000
const mostTurns = 50

export interface ReplayParts {
  readonly db: Knex
  readonly runGroup: RunGroup
  readonly spend: SpendAllowance
  readonly log: Logger
}

/**
 * Entries run through the pipeline of plain calls in groups that share a transaction; each group's lines leave after
 * its commit. A phone that takes no lines stops the batch.
 */
export function replayMutations(parts: ReplayParts) {
  const { db, log } = parts
  /** For the admins; no answer waits for it or fails with it. */
  const note = (call: RouteCall, account: number | null, { counted }: Refusals) => {
    noteRefusals(db, account, call.device?.name || null, counted).catch((error: unknown) =>
      log.warn({ err: error, requestId: call.requestId }, 'cannot note what was refused'),
    )
  }
  return async (ctx: ApiContext, call: RouteCall): Promise<void> => {
    const refusals = countRefusals()
    let batch: Batch
    try {
      batch = readBatch(call)
    } catch (error) {
      if (error instanceof ProblemError) {
        refusals.add('replayMutations', error.status, JSON.stringify({ code: error.code }))
        note(call, call.caller?.userId ?? null, refusals)
      }
      throw error
    }
    if (batch.account !== null) checkAccount(batch.account, call.caller, call.signedOut)
    // After a restore a phone must not compare the answer's versions with its own.
    const row = await db('sync_epoch').first('epoch')
    if (row) ctx.set(headers.epoch, row.epoch)
    ctx.status = 200
    ctx.type = 'application/x-ndjson; charset=utf-8'
    ctx.set('X-Accel-Buffering', 'no')
    ctx.body = Readable.from(
      verdicts(parts, call, batch, refusals, () => note(call, batch.account, refusals)),
      { objectMode: true, highWaterMark: 1 },
    )
  }
}

/** Each call judges what its entry asks for. */
function readBatch(call: RouteCall): Batch {
  const asked = entriesOf(call.body)
  const shells = asked.map((entry) => (isRecord(entry) ? { ...entry, params: undefined, body: undefined } : entry))
  const body = asked.length > 0 ? { ...(call.body as object), entries: shells } : call.body
  const { account, entries } = validate(routes.replayMutations, { ...call, body }).body as Batch
  const whole = entries.map((entry, index) => {
    const { params, body: content } = asked[index] as Pick<Entry, 'params' | 'body'>
    return { ...entry, params, body: content }
  })
  return { account, entries: whole }
}

function entriesOf(body: unknown): readonly unknown[] {
  return isRecord(body) && Array.isArray(body['entries']) ? (body['entries'] as unknown[]) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function* verdicts(
  { runGroup, spend }: ReplayParts,
  call: RouteCall,
  batch: Batch,
  refusals: Refusals,
  ended: () => void,
): AsyncGenerator<string> {
  try {
    const { entries } = batch
    const stopped = new Set<string>()
    const progress: BatchProgress = {
      stopped,
      refused: await refusedUnknown(spend, call, batch),
      room: mostAnswerBytes,
      turns: mostTurns,
    }
    for (let start = 0; start < entries.length;) {
      const first = entries[start] as Entry
      if (!isQueueable(first.route)) {
        const problem = new ProblemError('invalid_input', `There is no queueable call named ${first.route}.`)
        const refused = progress.refused ?? refusal(problem, call.requestId)
        const outcome = stopped.has(first.lane) || isOver(progress) ? 'untouched' : refused
        if (outcome !== 'untouched') progress.room -= Buffer.byteLength(outcome.text ?? '')
        // The route's name is the sender's own text.
        if (outcome !== 'untouched') refusals.add('unknown', outcome.status, outcome.text)
        yield verdictLine(first.key, outcome)
        stopped.add(first.lane)
        start += 1
        continue
      }
      const group = groupFrom(entries, start)
      start += group.length
      let index = 0
      for await (const outcome of runGroup(
        group.map((entry) => groupCall(call, batch.account, entry)),
        progress,
      )) {
        const entry = group[index] as Entry
        if (outcome !== 'untouched') refusals.add(entry.route, outcome.status, outcome.text)
        yield verdictLine(entry.key, outcome)
        index += 1
      }
    }
  } finally {
    ended()
  }
}

/**
 * Entries without a queueable route run nothing, and are counted together. Answers the refusal of all when they do not
 * fit.
 */
async function refusedUnknown(spend: SpendAllowance, call: RouteCall, { account, entries }: Batch) {
  const unknown = entries.filter(({ route }) => !isQueueable(route)).length
  if (unknown === 0) return undefined
  return await refusedPoints(spend, senderOf(call, account), Math.min(unknown * ENTRY_POINTS, groupSize))
}

function groupFrom(entries: readonly Entry[], start: number): readonly Entry[] {
  const group = entries.slice(start, start + groupSize)
  const end = group.findIndex(({ route }) => !isQueueable(route))
  return end === -1 ? group : group.slice(0, end)
}

/** A visitor's change runs as a stranger's, even if a user is signed in by now. */
const senderOf = (call: RouteCall, account: number | null): RouteCall =>
  account === null ? { ...call, caller: null, signedOut: 'sign_in_required' } : call

function groupCall(call: RouteCall, account: number | null, entry: Entry): GroupCall {
  return {
    name: entry.route as DocumentRouteName,
    lane: entry.lane,
    call: {
      ...senderOf(call, account),
      account,
      key: entry.key.toLowerCase(),
      again: entry.again ?? null,
      basis: entry.basis?.toLowerCase() ?? entry.basis,
      params: isRecord(entry.params) ? entry.params : {},
      query: {},
      body: entry.body,
    },
  }
}

function isQueueable(name: string): name is DocumentRouteName {
  if (!Object.hasOwn(routes, name)) return false
  const spec: RouteSpec = routes[name as RouteName]
  return spec.queueable === true && spec.repeatable === 'key'
}

function verdictLine(key: string, outcome: GroupOutcome): string {
  if (outcome === 'untouched') return `{"key":"${key}","untouched":true}\n`
  const { status, version, text, retryAfterSeconds } = outcome
  const more = [
    ...(version === null ? [] : [`,"version":${version}`]),
    ...(text === null ? [] : [`,"body":${text}`]),
    ...(retryAfterSeconds === undefined ? [] : [`,"retryAfterSeconds":${retryAfterSeconds}`]),
  ]
  return `{"key":"${key}","status":${status}${more.join('')}}\n`
}

/** The key may belong to the account or, for what a visitor may do, to the device: both are asked. */
export const cancelMutation: Handler<'cancelMutation'> = async ({ db, caller, device, body, spend, address }) => {
  if (body.account !== null) checkAccount(body.account, caller, 'sign_in_required')
  // It keeps a row for a key that may never come.
  if (!caller) await spend('visitor-change', address)
  const scopes: KeyScope[] = [...(body.account === null ? [] : [`user:${body.account}` as const]), deviceScope(device)]
  // A mutating route's db is its transaction.
  const [outcome] = await cancelKeys(db as Knex.Transaction, scopes, [body.key.toLowerCase()])
  return { outcome: outcome ?? 'cancelled' }
}

/** For changes that a device gave up without a network, or by signing out. */
export const cancelMutations: Handler<'cancelMutations'> = async ({ db, caller, device, body, spend }) => {
  if (!caller) throw signInProblem('sign_in_required')
  await spend('account-change', `user:${caller.userId}`, body.keys.length)
  if (body.account !== undefined) checkAccount(body.account, caller, 'sign_in_required')
  const keys = body.keys.map((key) => key.toLowerCase())
  return { outcomes: await cancelKeys(db as Knex.Transaction, [`user:${caller.userId}`, deviceScope(device)], keys) }
}
