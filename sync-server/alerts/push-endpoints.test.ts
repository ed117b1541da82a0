import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { parse } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import webPush from 'web-push'
import { parsePushEndpoint, isPublicAddress, publicAddressesOnly } from './push-endpoints.ts'
import { retryAfterMs, sendPush } from './send-push.ts'
import { sized } from '../testing/proof-size.ts'

const isPushEndpoint = (endpoint: string, pushHosts: readonly string[] | null) =>
  parsePushEndpoint(endpoint, pushHosts) !== undefined

describe('an address a push message may be sent to', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:443/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
    'https://FCM.googleapis.com/abc',
  ])('%s passes', (endpoint) => {
    expect(isPushEndpoint(endpoint, null)).toBe(true)
  })

  it.each([
    'http://fcm.googleapis.com/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://user@fcm.googleapis.com/abc',
    'https://fcm.googleapis.com@evil.example/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilfcm.googleapis.com/abc',
    'https://notify.windows.com/abc',
    'https://localhost/abc',
    'https://[::1]/abc',
    'https://169.254.169.254/latest',
    "https://127.0.0.1'.push.apple.com/",
    'https://127.0.0.1;.push.apple.com/',
    'https://a..push.apple.com/abc',
    'https://.push.apple.com/abc',
    'https://web.push.apple.com./abc',
    `https://${'a'.repeat(254)}.push.apple.com/abc`,
    `https://${'a.'.repeat(125)}push.apple.com/abc`,
    'file:///etc/passwd',
    'not an address',
    '',
  ])('%s does not', (endpoint) => {
    expect(isPushEndpoint(endpoint, null)).toBe(false)
  })

  it('is on the configured list instead, with its port', () => {
    expect(isPushEndpoint('https://localhost:4444/abc', ['localhost:4444'])).toBe(true)
    expect(isPushEndpoint('https://localhost:4445/abc', ['localhost:4444'])).toBe(false)
    expect(isPushEndpoint('https://localhost/abc', ['localhost'])).toBe(true)
    expect(isPushEndpoint('https://fcm.googleapis.com/abc', ['localhost:4444'])).toBe(false)
    expect(isPushEndpoint('https://fcm.googleapis.com/abc', [])).toBe(false)
  })
})

const keys = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
}
const { publicKey, privateKey } = webPush.generateVAPIDKeys()

const vapidDetails = { subject: 'mailto:push@beaconry.example', publicKey, privateKey }

/** Where web-push would connect to: it reads the address by `url.parse`, which sees hosts that `URL` does not. */
function dialled(endpoint: string): { hostname: string | null; port: string | null; protocol: string | null } {
  const details = webPush.generateRequestDetails({ endpoint, keys }, null, { vapidDetails })
  return parse(details.endpoint)
}

const pieces = [
  'https:// HTTPS: https:\\\\ http:// // / \\ . .. : :443 :0443 :8443 @ # ?',
  `' \` " { } | ^ < > ; , ! $ & ( ) * + = ~ _ [ ]`,
  '% %2e %2F %40 %00 %E3%80%82 \u00AD \u3002 \uFF0E \u2024 \uFF46 ß é',
  '127.0.0.1 0x7f.1 2130706433 [::1] [::ffff:7f00:1] localhost 169.254.169.254 10.0.0.1 evil.example',
  'fcm.googleapis.com FCM.GoogleApis.com web.push.apple.com .push.apple.com push.apple.com a.notify.windows.com',
  'updates.push.services.mozilla.com xn--a xn--fcm- user user:password@ abc',
]
  .flatMap((line) => line.split(' '))
  .concat('\t', '\n', '\r', ' ', '\0', 'a'.repeat(64), 'a'.repeat(254))

// Each accepted text is signed for its dialler: a busy machine needs longer than a test is given.
it('once accepted, whatever it says, only ever leads to a known push service on port 443', () => {
  const starts = ['https://', 'https:', 'HTTPS://', 'https:\\\\', '\thttps://', '']
  const ends = ['', '.push.apple.com/', 'fcm.googleapis.com/x', '@web.push.apple.com/', '.notify.windows.com', '/x']
  const middle = fc.array(fc.constantFrom(...pieces), { maxLength: 3 }).map((some) => some.join(''))
  let accepted = 0
  fc.assert(
    fc.property(fc.constantFrom(...starts), middle, fc.constantFrom(...ends), (...texts) => {
      const parsed = parsePushEndpoint(texts.join(''), null)
      if (parsed === undefined) return
      accepted += 1
      const { hostname, port, protocol } = dialled(parsed)
      expect([protocol, port ?? '443']).toEqual(['https:', '443'])
      expect(hostname).toMatch(
        /^(fcm\.googleapis\.com|web\.push\.apple\.com|[a-z0-9.-]+\.(push\.services\.mozilla|push\.apple|notify\.windows)\.com)$/,
      )
      expect(hostname).toBe(new URL(parsed).hostname)
      expect(parsePushEndpoint(parsed, null)).toBe(parsed)
    }),
    { seed: 20_261_122, numRuns: sized(30_000, 10_000) },
  )
  expect(accepted).toBeGreaterThan(300)
})

const now = new Date('2026-11-21T10:00:00Z')
it.each([
  ['120', 120_000],
  ['0', 0],
  ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['99999999', 21_600_000],
  ['soon', 0],
  [undefined, 0],
])('how long a push service wants to be left alone Retry-After %s is %i ms', (value, ms) => {
  expect(retryAfterMs(value, now)).toBe(ms)
})

describe('an address of the public internet', () => {
  it.each(['8.8.8.8', '2a00:1450:4001:81b::200a', '64:ff9b::8.8.8.8'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(
    [
      '127.0.0.1 127.255.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1',
      '198.18.0.1 224.0.0.1 255.255.255.255 192.0.2.1 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1',
      '::ffff:7f00:1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::10.0.0.1 2002:7f00:1:: 2001::1 2001:db8::1 localhost',
    ].flatMap((line) => line.split(' ')),
  )('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

it('a message for a name that leads to this machine connects to nothing', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const subscription = { endpoint: `https://localhost:${(server.address() as AddressInfo).port}/abc`, ...keys }
  const address = { vapidKeys: { publicKey, privateKey }, vapidSubject: 'mailto:push@beaconry.example' }
  const manner = { topic: 'test', timeToLiveSeconds: 60 }
  try {
    const message = {} as Parameters<typeof sendPush>[1]
    const guarded = { ...address, agent: publicAddressesOnly }
    expect(await sendPush(subscription, message, manner, guarded, new Date())).toEqual({
      outcome: 'unknown',
      reason: 'the name leads into a private network',
    })
    expect(connections).toBe(0)
    // The very same message without the guard does reach the server.
    await sendPush(subscription, message, manner, address, new Date())
    expect(connections).toBe(1)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
