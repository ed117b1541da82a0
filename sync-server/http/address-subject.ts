import { isIPv4, isIPv6 } from 'node:net'

/** Allowances count IPv6 addresses by their /64 (RFC 6177), which is one customer. */
export function addressSubject(address: string): string {
  const bare = withoutPort(address.trim())
  if (isIPv4(bare)) return bare
  const [host = ''] = bare.split('%')
  if (!isIPv6(host)) return 'unknown'
  const groups = groupsOf(host)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return dotted(groups[6] as number, groups[7] as number)
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

function withoutPort(text: string): string {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1]
  return inBrackets ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

/** `URL` normalizes IPv6 addresses. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const before = numbers(head)
  const after = numbers(tail ?? '')
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
