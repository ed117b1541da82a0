import type { Knex } from 'knex'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type * as z from 'zod'
import { type RouteName, routes } from '#shared/api/routes.ts'
import type { Problem } from '#shared/contract/problem.ts'
import { headers } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { mutationEntry } from '#shared/sync/replication-calls.ts'
import { checkAccount, signInProblem } from '../calls/access.ts'
import { deviceScope, type RouteCall } from '../calls/call.ts'
import type { LaneCall } from '../calls/groups.ts'
import type { DocumentRouteName, Make } from '../calls/handler.ts'
import { cancelKeys, type KeyScope } from '../calls/idempotency.ts'
import type { CallOutcome, Pipeline } from '../calls/pipeline.ts'
import { ProblemError } from '../calls/problems.ts'
import { validate } from '../calls/validation.ts'
import type { ApiContext } from '../http/mount.ts'
import { countRefusal } from './count-refusals.ts'

type Entry = z.output<typeof mutationEntry>
type Batch = { readonly account: number | null; readonly entries: readonly Entry[] }

/** An answer's documents; those of later changes are left out, and come with the next pull. */
const maxDocumentBytes = 1_000_000
/** What is left comes back untouched. */
const maxTurns = 50

export interface ReplayParts {
  readonly db: Knex
  readonly runCalls: Pipeline['runCalls']
  readonly log: Logger
}

/**
 * Entries run through the pipeline of plain calls in groups that share a transaction; each group's lines leave after
 * its commit. A phone that takes no lines stops the batch.
 */
export function replayMutations(parts: ReplayParts) {
  const { db } = parts
  return async (ctx: ApiContext, call: RouteCall): Promise<void> => {
    let batch: Batch
    try {
      batch = readBatch(call)
    } catch (error) {
      if (error instanceof ProblemError)
        countRefusal('replayMutations', error.status, JSON.stringify({ code: error.code }))
      throw error
    }
    if (batch.account !== null) checkAccount(batch.account, call.caller, call.signedOut)
    // A phone must not compare the answer's versions with its own after a restore.
    const epoch = ctx.state.epoch ?? (await db('sync_epoch').first('epoch'))?.epoch
    if (epoch) ctx.set(headers.epoch, epoch)
    ctx.status = 200
    ctx.type = 'application/x-ndjson; charset=utf-8'
    ctx.set('X-Accel-Buffering', 'no')
    const lines = verdicts(parts, call, batch)
    ctx.body = batch.entries.length > 1 ? Readable.from(lines, { highWaterMark: 1 }) : await inOnePiece(lines)
  }
}

/** A lone change has nothing to stream, and a stream costs more than its line. */
async function inOnePiece(lines: AsyncIterable<string>): Promise<Buffer> {
  let text = ''
  for await (const line of lines) text += line
  return Buffer.from(text)
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
  { runCalls }: ReplayParts,
  call: RouteCall,
  { account, entries }: Batch,
): AsyncGenerator<string> {
  const calls = entries.map((entry) => laneCall(call, account, entry))
  // A visitor's answers hold what no pull brings, such as the token of an application.
  let room = account === null ? Infinity : maxDocumentBytes
  let index = 0
  for await (const outcome of runCalls(calls, { stopped: new Set(), turns: maxTurns })) {
    const { key, route } = entries[index] as Entry
    if (outcome !== 'untouched') countRefusal(route, outcome.status, outcome.text)
    const line = verdictLine(key, room > 0 ? outcome : withoutDocument(outcome))
    room -= Buffer.byteLength(line)
    yield line
    index += 1
  }
}

function withoutDocument(outcome: CallOutcome): CallOutcome {
  if (outcome === 'untouched' || outcome.text === null) return outcome
  if (outcome.status < 300) return { ...outcome, text: null }
  const { current: _, ...problem } = JSON.parse(outcome.text) as Problem
  return { ...outcome, text: JSON.stringify(problem) }
}

/** A visitor's change runs as a stranger's, even if a user is signed in by now. */
const senderOf = (call: RouteCall, account: number | null): RouteCall =>
  account === null ? { ...call, caller: null, signedOut: 'sign_in_required' } : call

function laneCall(call: RouteCall, account: number | null, entry: Entry): LaneCall {
  return {
    ...(isQueueable(entry.route) ? {} : { problem: notQueueable(entry.route) }),
    name: entry.route as DocumentRouteName,
    lane: entry.lane,
    call: {
      ...senderOf(call, account),
      account,
      key: entry.key.toLowerCase(),
      again: entry.again ?? false,
      basis: entry.basis?.toLowerCase() ?? entry.basis,
      params: isRecord(entry.params) ? entry.params : {},
      query: {},
      body: entry.body,
    },
  }
}

const notQueueable = (route: string) => new ProblemError('invalid_input', `There is no queueable call named ${route}.`)

function isQueueable(name: string): name is DocumentRouteName {
  if (!Object.hasOwn(routes, name)) return false
  const spec: RouteSpec = routes[name as RouteName]
  return spec.queueable === true && spec.repeatable === 'key'
}

function verdictLine(key: string, outcome: CallOutcome): string {
  if (outcome === 'untouched') return `{"key":"${key}","untouched":true}\n`
  const { status, version, checkpoint, text, retryAfterSeconds } = outcome
  const more = [
    ...(version === null ? [] : [`,"version":${version}`]),
    ...(checkpoint === undefined ? [] : [`,"checkpoint":${JSON.stringify(checkpoint)}`]),
    ...(text === null ? [] : [`,"body":${text}`]),
    ...(retryAfterSeconds === undefined ? [] : [`,"retryAfterSeconds":${retryAfterSeconds}`]),
  ]
  return `{"key":"${key}","status":${status}${more.join('')}}\n`
}

/** The key may belong to the account or, for what a visitor may do, to the device: both are asked. */
export const cancelMutation: Make<'cancelMutation'> = async ({ db, caller, device, body, spend, address }) => {
  if (body.account !== null) checkAccount(body.account, caller, 'sign_in_required')
  // It keeps a row for a key that may never come.
  if (!caller) await spend('visitor-change', address)
  const scopes: KeyScope[] = [...(body.account === null ? [] : [`user:${body.account}` as const]), deviceScope(device)]
  // A mutating route's db is its transaction.
  const [outcome] = await cancelKeys(db as Knex.Transaction, scopes, [body.key.toLowerCase()])
  return { outcome: outcome ?? 'cancelled' }
}

/** Devices ask for it when they gave a change up without a network, or by signing out. */
export const cancelMutations: Make<'cancelMutations'> = async ({ db, caller, device, body, spend }) => {
  if (!caller) throw signInProblem('sign_in_required')
  await spend('account-change', `user:${caller.userId}`, body.keys.length)
  if (body.account !== undefined) checkAccount(body.account, caller, 'sign_in_required')
  const keys = body.keys.map((key) => key.toLowerCase())
  return { outcomes: await cancelKeys(db as Knex.Transaction, [`user:${caller.userId}`, deviceScope(device)], keys) }
}
