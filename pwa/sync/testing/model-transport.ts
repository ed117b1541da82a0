import { headers } from '#shared/contract/request.ts'
import type { Transport, TransportAnswer } from '../drain/transport.ts'
import { problem, type ModelEntry, type ModelServer } from './model-server.ts'

/** The type of an answer with one line for each change. */
export const linesType = 'application/x-ndjson; charset=utf-8'

async function* once(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece
}

/** An answer with headers and a body, from our server unless said otherwise. */
export function answerOf(
  status: number,
  pieces: readonly string[],
  {
    type = 'application/json',
    ours = true,
    retryAfter,
    epoch,
  }: { type?: string; ours?: boolean; retryAfter?: number; epoch?: number } = {},
): TransportAnswer {
  // A proxy on the way numbers its answers; only our server adds its version.
  const all: Record<string, string> = { 'content-type': type, [headers.requestId.toLowerCase()]: 'r1' }
  if (ours) all[headers.serverVersion.toLowerCase()] = '1'
  if (epoch !== undefined) all[headers.epoch.toLowerCase()] = String(epoch)
  if (retryAfter !== undefined) all['retry-after'] = String(retryAfter)
  return { status, header: (name) => all[name.toLowerCase()] ?? null, body: once(pieces) }
}

/** A network without faults to a model server. `session` says who is signed in there. */
export function directTransport(server: ModelServer, session: () => number | null, device = 'd1'): Transport {
  return async (request) => {
    if (request.signal.aborted) throw new Error('aborted')
    const body = JSON.parse(request.body) as {
      account: number | null
      entries?: ModelEntry[]
      key?: string
      keys?: string[]
    }
    if (body.account !== null && session() !== body.account) {
      const code = session() === null ? 'session_expired' : 'account_mismatch'
      return answerOf(code === 'session_expired' ? 401 : 409, [JSON.stringify(problem(code))])
    }
    const scope = body.account === null ? `device:${device}` : `user:${body.account}`
    if (body.key !== undefined) return answerOf(200, [JSON.stringify({ outcome: server.cancel(scope, body.key) })])
    if (body.keys !== undefined)
      return answerOf(200, [JSON.stringify({ outcomes: body.keys.map((key) => server.cancel(scope, key)) })])
    const lines = [...server.runBatch(body.account, scope, body.entries ?? [], () => undefined)]
    return answerOf(
      200,
      lines.map((line) => `${JSON.stringify(line)}\n`),
      { type: linesType, epoch: server.epoch },
    )
  }
}
