import { describe, expect, it } from 'vitest'
import { hashOf, tokenIn, withTokenInHash } from './link-token.ts'

describe('the link to one’s own application', () => {
  it.each([
    ['?application=abc', '', 'abc'],
    ['', '#application=abc', 'abc'],
    ['?application=old', '#application=new', 'new'],
    ['?resend=4', '#beacons', null],
    ['', '', null],
  ])('%j %j opens %j', (search, hash, token) => {
    expect(tokenIn({ search, hash })).toBe(token)
  })

  it.each([
    ['?application=abc', '', '#application=abc'],
    ['?resend=4&application=a%2Fb', '', '?resend=4#application=a%2Fb'],
    ['?application=old', '#application=new', '#application=new'],
    ['', '#application=abc', null],
    ['?resend=4', '', null],
  ])('%j %j keeps its token where no server reads it: %j', (search, hash, moved) => {
    expect(withTokenInHash({ search, hash })).toBe(moved)
  })

  it('is read as it was written', () => {
    expect(tokenIn({ search: '', hash: hashOf('a_b-c+/=') })).toBe('a_b-c+/=')
  })
})
