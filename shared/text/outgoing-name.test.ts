import { describe, expect, it } from 'vitest'
import { outgoingName } from './outgoing-name.ts'

describe('a name that leaves', () => {
  it.each([
    ['Bea Moss-Hill'],
    ["Siobhán O'Neil"],
    ['陈 美玲'],
    ['Dr. J. R. Moss, 3rd'],
    ['Drinks @ Pier 9: Vol. 2'],
    ['Node.js & Friends 18:30'],
    ['👩‍🚀 Night / Web 2.0'],
  ])('stays as it is: %s', (name) => {
    expect(outgoingName(name)).toBe(name)
  })

  it.each([
    ['Sign in at https://evil.example/a?b', 'Sign in at'],
    ['HTTPS://EVIL.EXAMPLE', ''],
    ['go (evil.com) now', 'go now'],
    ['evil.co.uk/path', ''],
    ['www.evil', ''],
    ['//evil \\\\evil\\share', ''],
    ['me@evil.example', ''],
    ['<eve@evil>', ''],
    ['mailto:eve', ''],
    ['call tel:+15550100', 'call'],
    ['10.0.0.1:80', ''],
    ['доступ.рф', ''],
    ['xn--e1afmkfd.xn--p1ai', ''],
    ['ev\u200bil\u2060.com', ''],
    ['evil\u202e.com', ''],
    ['evil\uff0ecom eve\uff20evil', ''],
    ['evil\u0000.com', 'evil .com'],
    ['Node.js.evil.com', ''],
    ['J.Smith.com x.com', ''],
  ])('loses what leads somewhere: %j', (name, left) => {
    expect(outgoingName(name)).toBe(left)
  })

  it.each([
    ['J.R.Smith', 'J.R. Smith'],
    ['St.Patrick’s Night', 'St. Patrick’s Night'],
    ['A\r\nBcc:\tB\u001b[2J\u0007', 'A Bcc: B [2J'],
    ['  two   spaces ', 'two spaces'],
  ])('is one line of text: %j', (name, left) => {
    expect(outgoingName(name)).toBe(left)
  })

  it('has at most 40 characters, none of them half, and is the same made twice', () => {
    const long = outgoingName('🎉'.repeat(50))
    expect(long).toBe(`${'🎉'.repeat(39)}…`)
    for (const name of [long, `${'a'.repeat(37)} evil.com`, `${'a'.repeat(38)} J.Smith and others`])
      expect(outgoingName(outgoingName(name))).toBe(outgoingName(name))
  })
})
