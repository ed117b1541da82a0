import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FuzzRequest } from './requests.ts'

/** What came back, or why nothing did. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** Bytes of the body as it arrived. */
  readonly size: number
  readonly ms: number
  /** The request was never answered. */
  readonly failure?: string
}

const patienceMs = 20_000

/** Sends requests over kept connections. A stream is left as soon as it has begun. */
export function createSender(origin: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(origin)
  async function send({ method, path, headers: given, body }: FuzzRequest): Promise<FuzzAnswer> {
    const startedAt = performance.now()
    const headers = { ...given, 'content-length': body?.length ?? 0 }
    const signal = AbortSignal.timeout(patienceMs)
    const sending = httpRequest({ agent, hostname, port, method, path, headers, signal })
    sending.on('error', () => undefined)
    sending.end(body ?? undefined)
    try {
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      const isStream = response.headers['content-type']?.startsWith('text/event-stream')
      const bytes = isStream ? Buffer.alloc(0) : await buffer(response)
      if (isStream) sending.destroy()
      const answer = { status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString() }
      return { ...answer, size: bytes.length, ms: performance.now() - startedAt }
    } catch (error) {
      return { status: 0, headers: {}, text: '', size: 0, ms: performance.now() - startedAt, failure: String(error) }
    }
  }
  return { send, close: () => agent.destroy() }
}

/** Bytes of a request as it goes over the wire. */
export function sizeOf({ method, path, headers, body }: FuzzRequest): number {
  const lines = Object.entries(headers).map(([name, value]) => name.length + String(value).length + 4)
  return method.length + path.length + 12 + lines.reduce((sum, length) => sum + length, 0) + (body?.length ?? 0)
}

/** A request as a person can send it again. */
export function shown({ method, path, headers, body, route }: FuzzRequest): string {
  const text = body === null ? '' : JSON.stringify(body.toString('latin1').slice(0, 1500))
  return `${route}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 800)} ${text}`
}
