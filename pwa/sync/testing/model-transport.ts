import { headers } from '#shared/contract/request.ts'
import type { Transport, TransportAnswer } from '../drain/transport.ts'
import { problem, type ModelEntry, type ModelServer } from './model-server.ts'

/** The type of an answer with one line for each change. */
export const linesType = 'application/x-ndjson; charset=utf-8'

async function* once(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece
}

/** A body that comes in pieces over time and may break off. */
export function openBody(): { push(piece: string): void; end(): void; fail(): void; body: AsyncIterable<string> } {
  const pieces: string[] = []
  let state: 'open' | 'ended' | 'failed' = 'open'
  let wake = () => {}
  const change = (next: typeof state) => {
    if (state === 'open') state = next
    wake()
  }
  return {
    push(piece) {
      pieces.push(piece)
      wake()
    },
    end: () => change('ended'),
    fail: () => change('failed'),
    body: {
      [Symbol.asyncIterator]: () => ({
        async next() {
          for (;;) {
            const piece = pieces.shift()
            if (piece !== undefined) return { done: false, value: piece }
            if (state === 'ended') return { done: true, value: undefined }
            if (state === 'failed') throw new Error('The connection broke')
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        },
      }),
    },
  }
}

interface AnswerMore {
  readonly type?: string
  readonly ours?: boolean
  readonly retryAfter?: number
  readonly epoch?: number
}

/** An answer with headers and a body, from our server unless said otherwise. */
export function answerOf(
  status: number,
  pieces: readonly string[],
  { type = 'application/json', ours = true, retryAfter, epoch }: AnswerMore = {},
): TransportAnswer {
  // A proxy on the way numbers its answers; only our server adds its version.
  const all: Record<string, string> = { 'content-type': type, [headers.requestId.toLowerCase()]: 'r1' }
  if (ours) all[headers.serverVersion.toLowerCase()] = '1'
  if (epoch !== undefined) all[headers.epoch.toLowerCase()] = String(epoch)
  if (retryAfter !== undefined) all['retry-after'] = String(retryAfter)
  return { status, header: (name) => all[name.toLowerCase()] ?? null, body: once(pieces) }
}

/** An answer whose body is one value. */
export const jsonAnswer = (status: number, value: unknown, more: AnswerMore = {}): TransportAnswer =>
  answerOf(status, [JSON.stringify(value)], more)

/** What a device sends: changes to make, or the keys of changes to forbid. */
export interface Sent {
  readonly account: number | null
  readonly entries?: readonly ModelEntry[]
  readonly key?: string
  readonly keys?: readonly string[]
}

export const scopeOf = ({ account }: Sent, device: string): string =>
  account === null ? `device:${device}` : `user:${account}`

/** What is answered to a device on which no account or another one is signed in. */
export function refusalOf({ account }: Sent, session: number | null): TransportAnswer | undefined {
  if (account === null || session === account) return undefined
  return session === null ? jsonAnswer(401, problem('session_expired')) : jsonAnswer(409, problem('account_mismatch'))
}

/** Forbids what is asked to be forbidden; undefined where nothing is. */
export function forbid(server: ModelServer, scope: string, { key, keys }: Sent) {
  const outcomes = (keys ?? (key === undefined ? [] : [key])).map((one) => server.cancel(scope, one))
  if (outcomes.length === 0) return undefined
  return { outcomes, answer: jsonAnswer(200, keys ? { outcomes } : { outcome: outcomes[0] }) }
}

/** A network without faults to a model server. `session` says who is signed in there. */
export function directTransport(server: ModelServer, session: () => number | null, device = 'd1'): Transport {
  return async (request) => {
    if (request.signal.aborted) throw new Error('aborted')
    const sent = JSON.parse(request.body) as Sent
    const scope = scopeOf(sent, device)
    const other = refusalOf(sent, session()) ?? forbid(server, scope, sent)?.answer
    if (other) return other
    const lines = [...server.runBatch(sent.account, scope, sent.entries ?? [], () => undefined)]
    return answerOf(
      200,
      lines.map((line) => `${JSON.stringify(line)}\n`),
      { type: linesType, epoch: server.epoch },
    )
  }
}
