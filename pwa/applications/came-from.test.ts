import { expect, it } from 'vitest'
import { viewSourceOf } from './came-from.ts'

const own = 'beaconry.example'

it.each([
  ['?from=qr', '', 'qr'],
  ['?from=share', 'https://www.google.com/', 'share'],
  ['?from=elsewhere', '', 'direct'],
  ['', '', 'direct'],
  ['', 'no address', 'direct'],
  ['', `https://${own}/events`, 'direct'],
  ['', 'https://www.google.co.uk/', 'search'],
  ['', 'https://duckduckgo.com/', 'search'],
  ['', 'https://uk.search.yahoo.com/search?p=mixer', 'search'],
  ['', 'https://mail.google.com/', 'site'],
  ['', 'https://meetings.example/harbor', 'site'],
] as const)('an address with “%s”, opened from “%s”, is counted as %s', (search, referrer, source) => {
  expect(viewSourceOf(search, referrer, own)).toBe(source)
})
