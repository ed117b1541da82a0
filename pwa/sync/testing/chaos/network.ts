import { headers as wire } from '#shared/contract/request.ts'
import { withoutNewHeaders } from './old-client.ts'

/** What the network knows of one phone. */
export interface Subscriber {
  /** Venues sit behind addresses of their own. */
  readonly address: string
  cookie: string | undefined
  isOnline: boolean
  /** Its app is the first released one. */
  readonly isOld: boolean
  /** How many requests have set out that were to change something. */
  sendings: number
  /** Called once a request is on its way. */
  onSetOut: () => void
}

/** A phone with network that has sent nothing yet. */
export function newSubscriber({
  address,
  cookie,
  isOld = false,
}: Pick<Subscriber, 'address'> & {
  readonly cookie?: string | undefined
  readonly isOld?: boolean | undefined
}): Subscriber {
  return { address, cookie, isOnline: true, isOld, sendings: 0, onSetOut: () => {} }
}

export interface PhoneNetwork {
  /** By the device's id. */
  readonly subscribers: Map<string, Subscriber>
  /** Nobody reaches the server. */
  isShut: boolean
  /** Gives the process its own `fetch` back. */
  end(): void
}

/**
 * Makes `fetch` what it is in a browser: relative addresses, and the cookie of the phone that a request names as its device.
 * So the production transport runs as it is.
 */
export function openNetwork(origin: string): PhoneNetwork {
  const subscribers = new Map<string, Subscriber>()
  const original = globalThis.fetch
  const network: PhoneNetwork = {
    subscribers,
    isShut: false,
    end: () => {
      globalThis.fetch = original
    },
  }
  globalThis.fetch = async (address, init) => {
    if (typeof address !== 'string' || !address.startsWith('/')) return original(address, init)
    const sent = new Headers(init?.headers)
    const phone = subscribers.get(sent.get(wire.deviceId) ?? '')
    if (!phone) throw new Error(`no phone made the request to ${address}`)
    if (!phone.isOnline) throw new TypeError('fetch failed')
    sent.set('Sec-Fetch-Site', 'same-origin')
    sent.set('X-Forwarded-For', phone.address)
    if (phone.cookie) sent.set('Cookie', phone.cookie)
    if (phone.isOld) withoutNewHeaders(sent)
    // What only reads, such as a pull, says nothing about the queue.
    if ((init?.method ?? 'GET') !== 'GET') phone.sendings++
    if (network.isShut) throw new TypeError('fetch failed')
    const answer = original(origin + address, { ...init, headers: sent })
    phone.onSetOut()
    return await answer
  }
  return network
}
