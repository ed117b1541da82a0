import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call on its way, as something on the road sees it. */
export interface PassingCall {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
}

/** What the road does to a call. */
export type Treatment =
  | 'pass'
  /** Nothing is ever answered. */
  | 'hold'
  /** The server's head is passed on, and nothing after it. */
  | 'hold-body'
  /** The connection is cut without an answer. */
  | 'reset'
  /** The server does it, and the connection is cut without its answer. */
  | 'drop-answer'
  /** Something on the way answers, under a number of its own. */
  | { readonly status: number; readonly body: string; readonly type?: string; readonly isOurs?: boolean }
  /** The server answers, and its text is changed; of a stream each event by itself. */
  | { readonly rewrite: (text: string) => string }
  /** The answer comes at this rate, which all calls so treated share. */
  | { readonly bytesPerSecond: number }

export interface RoadProxy {
  readonly origin: string
  /** Every call under /api that set out, and when (milliseconds of `performance.now()`). */
  readonly calls: readonly (PassingCall & { readonly at: number })[]
  /** Bytes of slowed answers that were handed on, and of those the ones of answers that came whole. */
  readonly slowed: { readonly bytes: number; readonly whole: number }
  /** From now on. */
  treat(how: (call: PassingCall) => Treatment): void
  close(): Promise<void>
}

/**
 * The road between a browser and `target`, on loopback: counts what is asked and treats each call as told. What passes is
 * handed on piece by piece.
 */
export async function startRoadProxy(target: string): Promise<RoadProxy> {
  const calls: (PassingCall & { at: number })[] = []
  let treatment: (call: PassingCall) => Treatment = () => 'pass'

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

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const call = { method: request.method ?? 'GET', url: request.url ?? '/', body: body.toString() }
      const isApi = call.url.startsWith('/api/')
      if (isApi) calls.push({ ...call, at: performance.now() })
      const how = isApi ? treatment(call) : 'pass'
      if (how === 'hold') return
      if (how === 'reset') return void request.socket.destroy()
      if (typeof how === 'object' && 'status' in how) {
        response.writeHead(how.status, {
          'Content-Type': how.type ?? 'application/json',
          'X-Request-Id': 'on-the-way',
          ...(how.isOurs ? { 'X-Beaconry': '1' } : {}),
        })
        return void response.end(how.body)
      }
      const headers = { ...request.headers }
      // What is to be read here must not be packed.
      if (typeof how === 'object' && 'rewrite' in how) delete headers['accept-encoding']
      const onward = http.request(target + call.url, { method: call.method, headers }, (answer) => {
        if (how === 'drop-answer') {
          answer.resume()
          answer.on('end', () => request.socket.destroy())
          return
        }
        if (typeof how === 'object' && 'bytesPerSecond' in how) {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          handOnSlowly(answer, response, how.bytesPerSecond).catch(() => response.destroy())
          return
        }
        if (typeof how === 'object' && answer.headers['content-type']?.startsWith('text/event-stream')) {
          rewriteEvents(answer, response, how.rewrite)
          return
        }
        if (typeof how === 'object') {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => {
            const { 'content-length': _length, ...rest } = answer.headers
            response.writeHead(answer.statusCode ?? 502, rest)
            response.end(how.rewrite(Buffer.concat(parts).toString()))
          })
          return
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        if (how === 'hold-body') answer.resume()
        else answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    calls,
    slowed,
    treat: (how) => (treatment = how),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Hands a stream of server-sent events on, each changed as a whole. */
function rewriteEvents(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  rewrite: (text: string) => string,
): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  response.flushHeaders()
  let rest = ''
  answer.setEncoding('utf8')
  answer.on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) response.write(`${rewrite(event)}\n\n`)
  })
  answer.on('end', () => response.end(rest))
  answer.on('error', () => response.destroy())
}
