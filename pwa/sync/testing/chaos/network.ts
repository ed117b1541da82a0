import { headers as wire } from '#shared/contract/request.ts'

/** What the network knows of one phone. */
export interface Subscriber {
  /** Venues sit behind addresses of their own. */
  readonly address: string
  cookie: string | undefined
  /** Called once a request is on its way. */
  onSetOut: () => void
}

/** A phone with network that has sent nothing yet. */
export function newSubscriber({
  address,
  cookie,
}: Pick<Subscriber, 'address'> & { readonly cookie?: string | undefined }): Subscriber {
  return { address, cookie, onSetOut: () => {} }
}

export interface PhoneNetwork {
  /** By the device's id. */
  readonly subscribers: Map<string, Subscriber>
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
  globalThis.fetch = async (address, init) => {
    if (typeof address !== 'string' || !address.startsWith('/')) return original(address, init)
    const sent = new Headers(init?.headers)
    const phone = subscribers.get(sent.get(wire.deviceId) ?? '')
    if (!phone) throw new Error(`no phone made the request to ${address}`)
    sent.set('Sec-Fetch-Site', 'same-origin')
    sent.set('X-Forwarded-For', phone.address)
    if (phone.cookie) sent.set('Cookie', phone.cookie)
    const answer = original(origin + address, { ...init, headers: sent })
    phone.onSetOut()
    return await answer
  }
  return {
    subscribers,
    end: () => {
      globalThis.fetch = original
    },
  }
}
