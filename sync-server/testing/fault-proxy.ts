import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Everything bad wifi and a dying server do to a call, and `none`. */
export const faults = [
  'none',
  /** The request never arrives. */
  'drop-request',
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
  close(): Promise<void>
}

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * A proxy on loopback in front of `target` that plays a fault on each call to /api with the given probability.
 * `random` answers 0 ≤ x < 1 and decides everything, so that a seed repeats a run.
 */
export async function startFaultProxy(options: { target: string; random: () => number; probability: number }): Promise<FaultProxy> {
  const { target, random } = options
  let probability = options.probability
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  const troubles = faults.filter((fault) => fault !== 'none')

  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const fault: Fault = random() < probability ? (troubles[Math.floor(random() * troubles.length)] ?? 'none') : 'none'
      counts[fault]++
      const ask = () => forward(target, request, body)
      switch (fault) {
        case 'drop-request':
          response.destroy()
          return
        case 'status-500':
          response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal Server Error')
          return
        case 'status-503':
          response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1' }).end('Service Unavailable')
          return
        case 'portal':
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Welcome to FreeWifi</title>')
          return
        case 'empty-json':
          response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
          return
        case 'drop-answer':
          await ask()
          response.destroy()
          return
        case 'twin': {
          const [, second] = await Promise.all([ask(), ask()])
          send(response, second)
          return
        }
        case 'truncated': {
          const answer = await ask()
          response.writeHead(answer.status, withoutLength(answer.headers))
          response.write(answer.body.subarray(0, Math.floor(answer.body.length * random())), () => response.destroy())
          return
        }
        case 'none':
          send(response, await ask())
      }
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    counts,
    calm: () => {
      probability = 0
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Passes a call on with the server's own origin, so that its cross-site rule sees what a browser would send. */
async function forward(target: string, request: http.IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _host, connection: _connection, ...headers } = request.headers
  if (headers.origin) headers.origin = target
  return new Promise((resolve, reject) => {
    const onward = http.request(`${target}${request.url ?? '/'}`, { method: request.method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) }))
      answer.on('error', reject)
    })
    onward.on('error', reject)
    onward.end(body)
  })
}

function withoutLength(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers
  return rest
}

function send(response: http.ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, withoutLength(answer.headers)).end(answer.body)
}
