import { describe, expect, it } from 'vitest'
import { isPushEndpoint } from './push-endpoints.ts'
import { retryAfterMs } from './send-push.ts'

describe('an address a push message may be sent to', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:443/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://eu.push.services.mozilla.com/abc',
    'https://web.push.apple.com/abc',
    'https://api.push.apple.com/abc',
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
    'https://evilpush.apple.com/abc',
    'https://notify.windows.com/abc',
    'https://localhost/abc',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://169.254.169.254/latest',
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

describe('how long a push service wants to be left alone', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['99999999', 21_600_000],
    ['soon', 0],
    [undefined, 0],
  ])('Retry-After %s is %i ms', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms)
  })
})
