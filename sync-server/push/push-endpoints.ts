/** The push services of the browsers there are: Chrome and Edge on phones, Firefox, Safari, Edge on Windows. */
const services = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/**
 * Whether push messages may be sent to an address. The sender dials whatever is stored, the server's own network
 * included, so only https on port 443 of the known services passes; asked when an address is stored and when it is used.
 * @param pushHosts replaces the services: `host`, `host:port` or `*.host`; null keeps them.
 */
export function isPushEndpoint(endpoint: string, pushHosts: readonly string[] | null): boolean {
  if (!URL.canParse(endpoint)) return false
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = url.hostname.toLowerCase()
  const port = url.port || '443'
  return (pushHosts ?? services).some((entry) => {
    const [allowedHost = '', allowedPort = '443'] = entry.split(':')
    if (port !== allowedPort) return false
    return allowedHost.startsWith('*.') ? host.endsWith(allowedHost.slice(1)) : host === allowedHost
  })
}
