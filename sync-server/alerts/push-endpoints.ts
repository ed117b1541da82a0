/** The push services of the browsers there are: Chrome and Edge on phones, Firefox, Safari, Edge on Windows. */
const services = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/** Letters, digits, hyphens and single dots: a name that every reader of addresses understands alike. */
const plainHost = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/

/** The longest name DNS knows (RFC 1035). `url.parse`, by which web-push dials, empties a longer one: this machine, then. */
const longestHost = 253

/**
 * The address a push message is sent to, as it is to be stored and dialled; undefined when it is not a push service's.
 * The sender dials whatever is stored, the server's own network included, so only https on port 443 of the known
 * services passes; asked when an address is stored and when it is used. It is answered as `URL` writes it, because
 * what dials it reads other texts differently: for `url.parse`, `https://127.0.0.1'.push.apple.com/` is 127.0.0.1.
 * @param pushHosts replaces the services: `host`, `host:port` or `*.host`; null keeps them.
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

/** An address as `parsePushEndpoint` would have stored it, for finding what was stored under it. */
export function storedEndpoint(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).href : endpoint
}
