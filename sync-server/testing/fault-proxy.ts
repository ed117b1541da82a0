import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** Everything bad wifi and a dying server do to a call, and `none`. */
export const faults = [
  'none',
  /** The request never arrives. */
  'drop-request',
  /** The request arrives after its sender has given it up, perhaps behind the next ones. */
  'late-request',
  /** The server does it, and nobody hears the answer. */
  'drop-answer',
  /** The browser or a proxy sends it twice. */
  'twin',
  'status-500',
  /** 503 with Retry-After. */
  'status-503',
  /** A captive portal: 200, HTML, none of our headers. */
  'portal',
  /** 200 and empty JSON, as a misbehaving cache answers. */
  'empty-json',
  /** The answer stops in the middle. */
  'truncated',
] as const
export type Fault = (typeof faults)[number]

export interface FaultProxy {
  readonly origin: string
  /** How often each fault was played. */
  readonly counts: Readonly<Record<Fault, number>>
  /** Every answer is passed on untouched from now on. */
  calm(): void
  /** Calls back once, when the next changing call has set out for the server: the worst moment to kill something. */
  atNextChange(callback: () => void): void
  /**
   * Calls whose path matches wait here, unheard of by the server, until they are let go, also when their sender gave up.
   * `letGo` resolves when the server has answered them, with how many they were.
   */
  hold(matches: (path: string) => boolean): { letGo(): Promise<number> }
  close(): Promise<void>
}

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

const latestMs = 300

/**
 * A proxy on loopback in front of `target` that plays a fault on each call to /api with the given probability.
 * `random` answers 0 ≤ x < 1 and decides everything, so that a seed repeats a run. An answer that no fault changes is
 * passed on piece by piece as it comes, and breaks off where the server's does. The live stream is left alone.
 */
export async function startFaultProxy(options: {
  target: string
  random: () => number
  probability: number
}): Promise<FaultProxy> {
  const { target, random } = options
  let probability = options.probability
  let atChange: (() => void) | undefined
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  const troubles = faults.filter((fault) => fault !== 'none')
  const late = new Set<NodeJS.Timeout>()
  const holds = new Set<{ matches: (path: string) => boolean; over: Promise<void>; calls: Promise<void>[] }>()

  function choose(request: http.IncomingMessage): Fault {
    const path = request.url ?? '/'
    if (!path.startsWith('/api/') || path.startsWith('/api/sync/stream') || random() >= probability) return 'none'
    return troubles[Math.floor(random() * troubles.length)] ?? 'none'
  }

  async function play(
    fault: Fault,
    request: http.IncomingMessage,
    body: Buffer,
    response: http.ServerResponse,
  ): Promise<void> {
    const ask = () => {
      const onward = forward(target, request, body)
      if (request.method !== 'GET' && atChange) {
        const callback = atChange
        atChange = undefined
        callback()
      }
      return onward
    }
    switch (fault) {
      case 'drop-request':
        response.destroy()
        return
      case 'late-request': {
        response.destroy()
        const timer = setTimeout(() => {
          late.delete(timer)
          ask()
            .then(whole)
            .catch(() => undefined)
        }, random() * latestMs)
        late.add(timer)
        return
      }
      case 'status-500':
        response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal Server Error')
        return
      case 'status-503':
        response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1' }).end('Service Unavailable')
        return
      case 'portal':
        response
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end('<!doctype html><title>Welcome to FreeWifi</title>')
        return
      case 'empty-json':
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
        return
      case 'drop-answer':
        await whole(await ask())
        response.destroy()
        return
      case 'twin': {
        const [, second] = await Promise.all([ask().then(whole), ask().then(whole)])
        response.writeHead(second.status, withoutLength(second.headers)).end(second.body)
        return
      }
      case 'truncated': {
        const answer = await whole(await ask())
        response.writeHead(answer.status, withoutLength(answer.headers))
        response.write(answer.body.subarray(0, Math.floor(answer.body.length * random())), () => response.destroy())
        return
      }
      case 'none': {
        const answer = await ask()
        response.writeHead(answer.statusCode ?? 502, withoutLength(answer.headers))
        pipeline(answer, response, () => undefined)
      }
    }
  }

  const server = http.createServer((request, response) => {
    const fault = choose(request)
    counts[fault]++
    const waits = Array.from(holds).filter(({ matches }) => matches(request.url ?? '/'))
    // Read at once: who gives up while it waits takes back nothing of what was said.
    const played = bodyOf(request)
      .then(async (body) => {
        for (const { over } of waits) await over
        await play(fault, request, body, response)
      })
      .catch(() => void response.destroy())
    for (const { calls } of waits) calls.push(played)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    counts,
    calm: () => {
      probability = 0
    },
    atNextChange: (callback) => {
      atChange = callback
    },
    hold: (matches) => {
      let letGo = () => {}
      const held = { matches, over: new Promise<void>((resolve) => (letGo = resolve)), calls: [] as Promise<void>[] }
      holds.add(held)
      return {
        letGo: async () => {
          holds.delete(held)
          letGo()
          await Promise.all(held.calls)
          return held.calls.length
        },
      }
    },
    close: async () => {
      for (const timer of late) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Passes a call on with the server's own origin, so that its cross-site rule sees what a browser would send. */
async function forward(target: string, request: http.IncomingMessage, body: Buffer): Promise<http.IncomingMessage> {
  const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers
  if (headers.origin) headers.origin = target
  if (body.length > 0) headers['content-length'] = String(body.length)
  return new Promise((resolve, reject) => {
    const onward = http.request(
      `${target}${request.url ?? '/'}`,
      { method: request.method, headers, agent: false },
      resolve,
    )
    onward.on('error', reject)
    onward.end(body)
  })
}

/** Throws when it breaks off. */
async function bodyOf(message: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function whole(message: http.IncomingMessage): Promise<Answer> {
  return { status: message.statusCode ?? 502, headers: message.headers, body: await bodyOf(message) }
}

function withoutLength(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers
  return rest
}
