import { createECDH } from 'node:crypto'
import { lookup as resolve, type LookupAddress } from 'node:dns'
import { Agent } from 'node:https'
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import type { HandlerCall } from '../calls/handler.ts'
import { refusedField } from '../calls/problems.ts'

/** Chrome and Edge on phones, Firefox, Safari and Edge on Windows use these services. */
const services = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/** Every parser understands it alike. */
const plainHost = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/

/**
 * DNS has this limit (RFC 1035). `url.parse`, by which web-push dials, empties a longer name and so reaches this
 * machine.
 */
const longestHost = 253

/**
 * Returns the endpoint to store and dial, or undefined for foreign hosts. Only https on port 443 of known services
 * passes. The endpoint is written as `URL` writes it, because `url.parse` reads `https://127.0.0.1'.push.apple.com/` as
 * 127.0.0.1.
 * @param pushHosts replaces the services: `host`, `host:port` or `*.host`; null keeps them
 */
export function parsePushEndpoint(endpoint: string, pushHosts: readonly string[] | null): string | undefined {
  if (!URL.canParse(endpoint)) return undefined
  const url = new URL(endpoint)
  const { protocol, username, password, hostname: host } = url
  if (protocol !== 'https:' || username !== '' || password !== '') return undefined
  if (host.length > longestHost || !plainHost.test(host)) return undefined
  const port = url.port || '443'
  const isKnown = (pushHosts ?? services).some((entry) => {
    const [allowedHost = '', allowedPort = '443'] = entry.split(':')
    if (port !== allowedPort) return false
    return allowedHost.startsWith('*.') ? host.endsWith(allowedHost.slice(1)) : host === allowedHost
  })
  return isKnown ? url.href : undefined
}

/** Returns the endpoint as `parsePushEndpoint` would have stored it. */
export function storedEndpoint(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).href : endpoint
}

export interface AcceptedSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Throws `invalid_input` for a foreign address and for unusable keys. */
export function acceptSubscription(
  { endpoint: given, keys }: Pick<HandlerCall<'tellThisPhone'>['body'], 'endpoint' | 'keys'>,
  pushHosts: readonly string[] | null,
): AcceptedSubscription {
  const endpoint = parsePushEndpoint(given, pushHosts)
  if (endpoint === undefined)
    throw refusedField('invalid_input', 'endpoint', 'This is not the address of a known push service')
  if (!isPublicKey(keys.p256dh) || Buffer.from(keys.auth, 'base64url').length !== 16)
    throw refusedField('invalid_input', 'keys', 'These are not the keys of a push subscription')
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth }
}

/** The text has to be an uncompressed point on the curve. */
function isPublicKey(text: string): boolean {
  const key = Buffer.from(text, 'base64url')
  if (key.length !== 65 || key[0] !== 4) return false
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  try {
    ecdh.computeSecret(key)
    return true
  } catch {
    return false
  }
}

/** IANA reserves these addresses for special purposes (RFC 6890). */
const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
  // NAT64 reaches the same addresses under these (RFC 6052).
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
// IPv6 assigns only 2000::/3; in it these are documentation and tunnels to IPv4.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6')

const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')
given.addSubnet('64:ff9b::', 96, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4')
  return isIPv6(address) && given.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** Refuses a name if any of its addresses is not public. */
const lookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '')
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(Object.assign(new Error('the name leads into a private network'), { code: 'EADDRNOTAVAIL' }), '')
    if (options.all) return done(null, addresses)
    done(null, first.address, first.family)
  })
}

/** An allowed name may lead into the server's network. */
export const publicAddressesOnly = new Agent({ lookup })
