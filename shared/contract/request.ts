import { endpoint, type EndpointName, type Method } from './endpoints.ts'

/** Values for the places in a path and for the query string; undefined and null values are left out. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * The request of a call: method and address with places filled and query appended.
 * Throws when a place of the path has no value: that is a mistake in the program, not in the input.
 */
export function requestFor(
  name: EndpointName,
  params: Values = {},
  query: Values = {},
): { method: Method; url: string } {
  const { method, path } = endpoint(name)
  const filled = path.replace(/\{(\w+)\}/g, (_, place: string) => {
    const value = params[place]
    if (value === undefined || value === null) throw new Error(`${name}: no value for {${place}} in ${path}`)
    return encodeURIComponent(String(value))
  })
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  return { method, url: pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled }
}

/**
 * Names of the headers that travel with every mutating call. `Idempotency-Key` identifies the change;
 * the server's answer repeats it in `X-Ack`: only an answer that does so came from our server.
 */
export const headers = {
  idempotencyKey: 'Idempotency-Key',
  acknowledged: 'X-Ack',
  /** Change-feed version of the caller's own scope after this change. */
  version: 'X-Version',
  /** The epoch that version counts in: versions of different epochs cannot be compared. */
  epoch: 'X-Epoch',
  deviceId: 'X-Device-Id',
  /** encodeURIComponent of the phone's name as its owner gave it. */
  deviceName: 'X-Device-Name',
  /** The account a queued change belongs to; the server refuses another one's session with 409. */
  account: 'X-Account',
  /** Opens an applicant's own page, without an account. */
  applicationToken: 'X-Application-Token',
  /** With `logout`: this device holds nothing for anyone, so the answer may have the browser empty its storage. */
  clearStorage: 'X-Clear-Storage',
  /** Names an answer in the log. Proxies add it to answers of their own too: it proves nothing. */
  requestId: 'X-Request-Id',
  /** On every answer under /api, with the server's `wireVersion`; an answer without it did not come from our server. */
  mark: 'X-Beaconry',
  /** With every call of our own app: the `wireVersion` it was built with. A client that is not our app sends none. */
  appVersion: 'X-App-Version',
} as const

/**
 * Counts the changes of the contract that an older app cannot live with. The server refuses apps older than the oldest
 * version it still speaks (426), and such an app waits for its update.
 */
export const wireVersion = 1

/** Whether the value of an answer's `X-Beaconry` header is our server's mark: a whole number from 1. */
export function isMark(value: string | null): boolean {
  return value !== null && /^[1-9]\d{0,8}$/.test(value)
}
