import { Readable } from 'node:stream'
import type * as z from 'zod'
import type { mutationEntry } from '#shared/api/replication.ts'
import type { RouteSpec } from '#shared/api/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { checkAccount } from '../http/access.ts'
import type { DocumentRouteName } from '../http/handler.ts'
import type { ApiContext } from '../http/mount.ts'
import { refusal, type Outcome, type RouteCall, type RunRoute } from '../http/pipeline.ts'
import { ProblemError } from '../http/problems.ts'
import { validate } from '../http/validation.ts'

type Entry = z.output<typeof mutationEntry>
type Batch = { readonly account: number | null; readonly entries: readonly Entry[] }

/**
 * POST /api/sync/mutations: each entry runs through the very pipeline a plain call runs through, one line of answer as
 * soon as it has. The next entry starts when the line of the one before could be handed on, so a phone that went away
 * stops the batch; what did not run is simply sent again.
 */
export function replayMutations(runRoute: RunRoute) {
  return async (ctx: ApiContext, call: RouteCall): Promise<void> => {
    const batch = validate(routes.replayMutations, call).body as Batch
    if (batch.account !== null) checkAccount(batch.account, call.caller, call.signedOut)
    ctx.status = 200
    ctx.type = 'application/x-ndjson; charset=utf-8'
    ctx.set('X-Accel-Buffering', 'no')
    ctx.body = Readable.from(verdicts(runRoute, call, batch), { objectMode: true, highWaterMark: 1 })
  }
}

async function* verdicts(runRoute: RunRoute, call: RouteCall, batch: Batch): AsyncGenerator<string> {
  const stopped = new Set<string>()
  for (const entry of batch.entries) {
    if (stopped.has(entry.lane)) {
      yield `{"key":"${entry.key}","untouched":true}\n`
      continue
    }
    const outcome = await runEntry(runRoute, call, batch.account, entry)
    if (outcome.status >= 300) stopped.add(entry.lane)
    yield verdictLine(entry.key, outcome)
  }
}

/** A visitor's change runs as a stranger's, whoever is signed in by now. */
async function runEntry(runRoute: RunRoute, call: RouteCall, account: number | null, entry: Entry): Promise<Outcome> {
  if (!isQueueable(entry.route)) {
    return refusal(
      new ProblemError('invalid_input', `There is no queueable call named ${entry.route}.`),
      call.requestId,
    )
  }
  return await runRoute(entry.route, {
    ...call,
    caller: account === null ? null : call.caller,
    signedOut: account === null ? 'sign_in_required' : call.signedOut,
    account,
    key: entry.key.toLowerCase(),
    params: entry.params ?? {},
    query: {},
    body: entry.body,
  })
}

function isQueueable(name: string): name is DocumentRouteName {
  return Object.hasOwn(routes, name) && (routes[name as RouteName] as RouteSpec).queueable === true
}

/** Joined from finished texts: an answer is not parsed and written again for being in a batch. */
function verdictLine(key: string, { status, version, text, retryAfterSeconds }: Outcome): string {
  const more = [
    ...(version === null ? [] : [`,"version":${version}`]),
    ...(text === null ? [] : [`,"body":${text}`]),
    ...(retryAfterSeconds === undefined ? [] : [`,"retryAfterSeconds":${retryAfterSeconds}`]),
  ]
  return `{"key":"${key}","status":${status}${more.join('')}}\n`
}
