import { lookup as resolve, type LookupAddress } from 'node:dns'
import { Agent } from 'node:https'
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net'

/** IPv4 addresses that are not anybody's on the internet (IANA's registry of special-purpose addresses, RFC 6890). */
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
  // The same behind the translator of a network that has IPv6 alone (RFC 6052).
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
// Of IPv6 only 2000::/3 is given to anybody, and in it stand these: documentation, and tunnels that lead to IPv4.
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

/** Whether an address is one of the public internet: not this machine, not the network it stands in. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4')
  return isIPv6(address) && given.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** The system's own lookup, which refuses a name as soon as one of its addresses is not a public one. */
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

/** Connects to nothing but the public internet, whatever a name server says: a name is allowed, not where it leads. */
export const publicAddressesOnly = new Agent({ lookup })
