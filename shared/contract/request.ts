import { endpoint, type EndpointName, type Method } from './endpoints.ts'

/** For path and query; undefined and null values are left out. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Throws when a parameter of the path has no value, which is a programming error. */
export function requestFor(
  name: EndpointName,
  params: Values = {},
  query: Values = {},
): { method: Method; url: string } {
  const { method, path } = endpoint(name)
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = params[parameter]
    if (value === undefined || value === null) throw new Error(`${name}: no value for {${parameter}} in ${path}`)
    return encodeURIComponent(String(value))
  })
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  return { method, url: pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled }
}

/** The server's answer repeats `Idempotency-Key` in `X-Ack`, which proves that it came from our server. */
export const headers = {
  idempotencyKey: 'Idempotency-Key',
  acknowledged: 'X-Ack',
  /** The caller's own scope has this change-feed version after this change. */
  version: 'X-Version',
  /** Where that scope was after the change: a pull that names it learns whether the server still has it. */
  checkpoint: 'X-Checkpoint',
  /** Versions of different epochs cannot be compared. */
  epoch: 'X-Epoch',
  deviceId: 'X-Device-Id',
  /** The value is the phone's name as its owner gave it, encoded by encodeURIComponent. */
  deviceName: 'X-Device-Name',
  /** Of a queued change; the server refuses another account's session with 409. */
  account: 'X-Account',
  /** The caller acts for this organizer's team. It is left out for the caller's own events. */
  organizer: 'X-Organizer',
  /** Opens an applicant's own page, without an account. */
  applicationToken: 'X-Application-Token',
  /** Names an answer in the log. Proxies add it too: it proves nothing. */
  requestId: 'X-Request-Id',
  /** Our server's answers under /api carry it, with its `wireVersion`. */
  serverVersion: 'X-Beaconry',
  /** The `wireVersion` of our own app; other clients send none. */
  appVersion: 'X-App-Version',
} as const

/**
 * Counts changes of the contract that break older apps. The server refuses apps below its oldest version (426), and they
 * wait for their update.
 */
export const wireVersion = 2

/** The value is a whole number from 1 on. */
export function isOurAnswer(value: string | null): boolean {
  return value !== null && /^[1-9]\d{0,8}$/.test(value)
}
