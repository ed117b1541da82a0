import { headers, wireVersion } from '#shared/contract/request.ts'
import type { DeviceIdentity } from '../queue/store/outbox-store.ts'

export interface TransportRequest {
  readonly method: string
  /** The text has path and query. */
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The body is read in pieces as they arrive. */
export interface TransportAnswer {
  /** It is 0 for a redirect, which our server never answers. */
  readonly status: number
  header(name: string): string | null
  readonly body: AsyncIterable<string>
}

/** Throws when there is no network or the signal was raised. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>

/** Throws when the body breaks off. */
export async function textOf(answer: TransportAnswer): Promise<string> {
  let text = ''
  for await (const piece of answer.body) text += piece
  return text
}

/** Yields the text of a body as it arrives. Throws when it breaks off. */
export async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<string> {
  if (!body) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    yield decoder.decode(value, { stream: true })
  }
  const rest = decoder.decode()
  if (rest) yield rest
}

export function createFetchTransport(device: () => Promise<DeviceIdentity>): Transport {
  return async (request) => {
    const { id, name } = await device()
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        ...request.headers,
        [headers.deviceId]: id,
        [headers.deviceName]: encodeURIComponent(name),
        [headers.appVersion]: String(wireVersion),
      },
      body: request.body,
      signal: request.signal,
      credentials: 'same-origin',
      cache: 'no-store',
      // Our server never redirects a call: a portal does.
      redirect: 'manual',
    })
    return { status: response.status, header: (header) => response.headers.get(header), body: piecesOf(response.body) }
  }
}
