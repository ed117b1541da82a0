import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

/** A call on its way, as something on the road sees it. */
export interface PassingCall {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
}

/** Sends the call to the server, with other headers where some are given. */
type Ask = (changes?: http.OutgoingHttpHeaders) => Promise<http.IncomingMessage>

/** What the road does to a call. */
export type Treatment =
  | 'pass'
  /** It waits, unheard of by the server, until `letGo`, also when its sender gives it up. */
  | 'hold'
  /** The connection is cut without an answer. */
  | 'reset'
  /** The server does it, and the connection is cut without its answer. */
  | 'drop-answer'
  /** Something on the way answers, under a number of its own. */
  | { readonly status: number; readonly body: string; readonly type?: string; readonly isOurs?: boolean }
  /** The server answers anew, and its text is changed; of a stream each event by itself. */
  | { readonly rewrite: Rewrite }
  /** The answer comes at this rate, which all calls so treated share. */
  | { readonly bytesPerSecond: number }
  /** The call takes so long to reach the server as its body needs at this rate, unless its sender gives it up. */
  | { readonly uplinkBytesPerSecond: number }

type Rewrite = (text: string) => string | Promise<string>

export type RoadProxy = Awaited<ReturnType<typeof startRoadProxy>>

/**
 * The road between a browser and `target`, on loopback: counts what is asked and treats each call as told. What passes is
 * handed on piece by piece.
 */
export async function startRoadProxy(target: string) {
  const calls: (PassingCall & { at: number })[] = []
  let treatment: (call: PassingCall) => Treatment = () => 'pass'

  const held: { readonly call: PassingCall; readonly passOn: () => Promise<void> }[] = []
  const slowed = { bytes: 0, whole: 0 }
  let freeAt = 0
  /** Pieces of all slowed answers leave one after the other. */
  async function handOnSlowly(answer: http.IncomingMessage, response: http.ServerResponse, bytesPerSecond: number) {
    let handedOn = 0
    const pieceBytes = Math.ceil(bytesPerSecond / 10)
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length && !response.destroyed; from += pieceBytes) {
        const piece = chunk.subarray(from, from + pieceBytes)
        freeAt = Math.max(freeAt, performance.now() - 1000) + (piece.length / bytesPerSecond) * 1000
        await new Promise((resolve) => setTimeout(resolve, freeAt - performance.now()))
        response.write(piece)
        handedOn += piece.length
        slowed.bytes += piece.length
      }
    }
    if (!response.destroyed) slowed.whole += handedOn
    response.end()
  }

  const proxy = await startProxy(target, async (call, ask, response) => {
    if (call.url.startsWith('/api/')) calls.push({ ...call, at: performance.now() })
    const how = treatment(call)
    if (how === 'hold') return void held.push({ call, passOn: async () => passOn(await ask(), response) })
    if (how === 'reset') return void response.destroy()
    if (typeof how === 'object' && 'status' in how) {
      const ours = how.isOurs ? { 'X-Beaconry': '1' } : {}
      const headers = { 'Content-Type': how.type ?? 'application/json', 'X-Request-Id': 'on-the-way', ...ours }
      return void response.writeHead(how.status, headers).end(how.body)
    }
    if (typeof how === 'object' && 'uplinkBytesPerSecond' in how) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, (call.body.length / how.uplinkBytesPerSecond) * 1000)
        response.once('close', () => resolve(clearTimeout(timer)))
      })
      return response.destroyed ? undefined : passOn(await ask(), response)
    }
    // What is to be read here must not be packed, nor be what the browser has.
    const isRead = typeof how === 'object' && 'rewrite' in how
    const asIs = { 'accept-encoding': 'identity', 'if-none-match': '', 'if-modified-since': '' }
    const answer = await ask(isRead ? asIs : {})
    if (how === 'drop-answer') return await swallow(answer, response)
    if (how === 'pass') return passOn(answer, response)
    if (isRead) delete answer.headers.etag
    writeHeadOf(answer, response)
    if (!isRead) await handOnSlowly(answer, response, how.bytesPerSecond)
    else if (answer.headers['content-type']?.startsWith('text/event-stream'))
      await rewriteEvents(answer, response, how.rewrite)
    else response.end(await how.rewrite(await text(answer)))
  })
  return {
    ...proxy,
    /** Every call under /api that set out, and when (milliseconds of `performance.now()`). */
    calls: calls as readonly (PassingCall & { readonly at: number })[],
    /** Bytes of slowed answers that were handed on, and of those the ones of answers that came whole. */
    slowed: slowed as Readonly<typeof slowed>,
    /** From now on. */
    treat: (how: (call: PassingCall) => Treatment) => void (treatment = how),
    /** Lets calls go that were held; resolves once the server has answered them, with how many they were. */
    letGo: async (which: (call: PassingCall) => boolean) => {
      const gone = held.filter(({ call }) => which(call))
      await Promise.all(gone.map(({ passOn }) => passOn()))
      return gone.length
    },
  }
}

/** Hands a stream of server-sent events on, each changed as a whole. */
async function rewriteEvents(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  rewrite: Rewrite,
): Promise<void> {
  let rest = ''
  for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) response.write(`${await rewrite(event)}\n\n`)
  }
  response.end(rest)
}

/** A proxy on loopback in front of `target`: `play` does what becomes of a call, and one whose play fails is cut. */
export async function startProxy(
  target: string,
  play: (call: PassingCall, ask: Ask, response: http.ServerResponse) => Promise<void>,
) {
  const server = http.createServer((request, response) => {
    // Read at once: who gives up while it waits takes back nothing of what was said.
    buffer(request)
      .then(async (body) => {
        const call = { method: request.method ?? 'GET', url: request.url ?? '/', body: body.toString() }
        await play(call, (changes) => forward(target, request, body, changes), response)
      })
      .catch(() => void response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Passes a call on with the server's own origin, so that its cross-site rule sees what a browser would send. */
async function forward(
  target: string,
  request: http.IncomingMessage,
  body: Buffer,
  changes: http.OutgoingHttpHeaders = {},
): Promise<http.IncomingMessage> {
  const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers
  if (headers.origin) headers.origin = target
  if (body.length > 0) headers['content-length'] = String(body.length)
  const options = { method: request.method, headers: { ...headers, ...changes }, agent: false }
  return new Promise((resolve, reject) => {
    http
      .request(target + (request.url ?? '/'), options, resolve)
      .on('error', reject)
      .end(body)
  })
}

/** The status and headers of an answer that may become longer or shorter; what gives up on it ends it. */
export function writeHeadOf(answer: http.IncomingMessage, response: http.ServerResponse): void {
  const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...rest } = answer.headers
  response.writeHead(answer.statusCode ?? 502, rest).flushHeaders()
  response.on('close', () => answer.destroy())
}

/** Piece by piece as it comes; it breaks off where the server's answer does. */
export function passOn(answer: http.IncomingMessage, response: http.ServerResponse): void {
  writeHeadOf(answer, response)
  pipeline(answer, response, () => undefined)
}

/** The server has done it, and no answer arrives. */
export async function swallow(answer: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  await buffer(answer)
  response.destroy()
}
