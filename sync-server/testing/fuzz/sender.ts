import { Agent, request as httpRequest } from 'node:http'
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
  const send = ({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> =>
    new Promise((resolve) => {
      const startedAt = performance.now()
      const chunks: Buffer[] = []
      let size = 0
      const end = (status: number, given: FuzzAnswer['headers'], failure?: string) =>
        resolve({
          status,
          headers: given,
          text: Buffer.concat(chunks).toString('utf8'),
          size,
          ms: performance.now() - startedAt,
          ...(failure === undefined ? {} : { failure }),
        })
      const sending = httpRequest({
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, 'content-length': body?.length ?? 0 },
        signal: AbortSignal.timeout(patienceMs),
      })
      sending.on('error', (error) => end(0, {}, error.message))
      sending.on('response', (response) => {
        const status = response.statusCode ?? 0
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          end(status, response.headers)
          sending.destroy()
          return
        }
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
        })
        response.on('end', () => end(status, response.headers))
        response.on('error', (error) => end(status, response.headers, error.message))
      })
      sending.end(body ?? undefined)
    })
  return { send, close: () => agent.destroy() }
}

/** Bytes of a request as it goes over the wire. */
export function sizeOf({ method, path, headers, body }: FuzzRequest): number {
  const lines = Object.entries(headers).map(([name, value]) => name.length + String(value).length + 4)
  return method.length + path.length + 12 + lines.reduce((sum, length) => sum + length, 0) + (body?.length ?? 0)
}

/** A request as a person can send it again. */
export function shown(request: FuzzRequest): string {
  const { method, path, headers, body, caller, route } = request
  const text = body === null ? '' : JSON.stringify(body.toString('latin1').slice(0, 1500))
  return `${route} by ${caller}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 800)} ${text}`
}
