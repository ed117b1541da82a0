import { headers, wireVersion } from '#shared/contract/request.ts'
import type { DeviceIdentity } from '../store/outbox-store.ts'
import type { Transport } from './transport.ts'

async function* pieces(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<string> {
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

/** Carries requests over the network, from a page or the service worker, with the name of the device they come from and the app's version. */
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
    return { status: response.status, header: (header) => response.headers.get(header), body: pieces(response.body) }
  }
}
