import { expect, it } from 'vitest'
import { linkPartsOf } from './link-parts.ts'

const linksIn = (text: string) => linkPartsOf(text).flatMap((part) => (part.isLink ? part.text : []))
const joined = (text: string) =>
  linkPartsOf(text)
    .map((part) => part.text)
    .join('')

it.each([
  ['See https://example.com/menu.', ['https://example.com/menu']],
  [
    '(https://example.com/a), https://example.com/b?x=1&y=2#z!',
    ['https://example.com/a', 'https://example.com/b?x=1&y=2#z'],
  ],
  ['“https://example.com”… HTTPS://EXAMPLE.COM/x', ['https://example.com', 'HTTPS://EXAMPLE.COM/x']],
  ['https://münchen.example/straße\nnext', ['https://münchen.example/straße']],
])('finds the addresses in %j without the punctuation around them', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

it.each([
  'http://example.com',
  'javascript:alert(1)',
  'javascript:http://example.com/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://',
  'https:// example.com',
  'https://.',
  'https://[::1',
  'https://bank.example@evil.example/login',
  'https://bank.example:secret@evil.example',
  'example.com',
])('%j is no link', (text) => {
  expect(linksIn(text)).toEqual([])
})

it.each([
  ['https://example.com/"onmouseover="alert(1)', 'https://example.com/'],
  ['https://example.com/<img src=x onerror=alert(1)>', 'https://example.com/'],
  ['https://example.com/\u202Egnp.exe', 'https://example.com/'],
  ['https://example.com/a\u200Bb', 'https://example.com/a'],
  ['https://example.com/a\u0000b', 'https://example.com/a'],
])('in %j a link ends where it could deceive', (text, link) => {
  expect(linksIn(text)).toEqual([link])
})

it('keeps every character of a text in its order, however long and hostile', () => {
  const hostile = `${'https://'.repeat(900)}${'.'.repeat(800)} ${'https://a'.repeat(20)}<b>&amp;</b>`
  for (const text of ['', ' ', 'plain', hostile]) expect(joined(text)).toBe(text)
})
