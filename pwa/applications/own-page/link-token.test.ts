import { describe, expect, it } from 'vitest'
import { hashOf, ownPageIn, tokenIn } from './link-token.ts'

describe('the link to one’s own application', () => {
  it.each([
    ['?application=abc', '', 'abc'],
    ['', '#application=abc', 'abc'],
    ['?application=old', '#application=new', 'new'],
    ['?application=abc).', '', 'abc'],
    ['?resend=4', '#beacons', null],
    ['', '', null],
  ])('%j %j opens %j', (search, hash, token) => {
    expect(tokenIn({ search, hash })).toBe(token)
  })

  it('is read as it was written', () => {
    expect(tokenIn({ search: '', hash: hashOf('a_b-c+/=') })).toBe('a_b-c+/=')
  })
})

const origin = 'https://beaconry.example'
it.each([
  [`${origin}/events/12/apply#application=abc`, '/events/12/apply#application=abc'],
  [`Open it: ${origin}/events/12/apply?application=abc thanks`, '/events/12/apply#application=abc'],
  [`${origin}/events/12/apply`, null],
  [`https://evil.example/events/12/apply#application=abc`, null],
  [`${origin}/dashboard#application=abc`, null],
  ['javascript:alert(1)', null],
  ['', null],
])('a pasted link: %s leads to %s', (pasted, path) => {
  expect(ownPageIn(pasted, origin)).toBe(path)
})
