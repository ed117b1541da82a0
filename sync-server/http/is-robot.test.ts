import { expect, it } from 'vitest'
import { isRobot } from './is-robot.ts'

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

it.each([
  [{ 'user-agent': phone }, false],
  [{ 'user-agent': phone, 'sec-purpose': 'prefetch;prerender' }, true],
  [{ 'user-agent': phone, purpose: 'preview' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0' }, true],
  [{ 'user-agent': 'facebookexternalhit/1.1' }, true],
  [{ 'user-agent': 'curl/8.5.0' }, true],
  [{}, true],
])('a request with %o is a program’s: %s', (headers, expected) => {
  expect(isRobot(headers)).toBe(expected)
})
