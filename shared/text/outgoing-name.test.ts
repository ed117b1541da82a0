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
    ['Top 100 in 2026'],
    ['Top 100: 2026'],
    ['Class of 2024–2028'],
    ['Mixer 12/10/2026 18:30-21:00'],
    ['Summit 2026-12-10, Hall 4'],
    ['Flat 12, 1200 W 35th'],
    ['Harbor District Founders & Investors Autumn Welcome Evening 2026'],
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
    ['Call +1 555 0199', 'Call'],
    ['+1 (555) 010-0199!', ''],
    ['Bea 5550199 Moss', 'Bea Moss'],
    ['Bea(555.0199)Moss', 'Bea…Moss'],
    ['٥٥٥٠١٩٩ ５５５－０１９９', ''],
    ['5️⃣5️⃣5️⃣0️⃣1️⃣9️⃣9️⃣', ''],
    ['555\u200b\u31640199', ''],
    ['Bea 555 / 🎉 01 99', 'Bea'],
    ['555 x.com 0199', ''],
    ['evil.5550199com', 'evil…com'],
    ['Ring 2026 at +1 555 2026 123', 'Ring 2026 at'],
  ])('loses a telephone number: %j', (name, left) => {
    expect(outgoingName(name)).toBe(left)
    expect(outgoingName(left)).toBe(left)
  })

  it.each([
    ['J.R.Smith', 'J.R. Smith'],
    ['St.Patrick’s Night', 'St. Patrick’s Night'],
    ['A\r\nBcc:\tB\u001b[2J\u0007', 'A Bcc: B [2J'],
    ['  two   spaces ', 'two spaces'],
  ])('is one line of text: %j', (name, left) => {
    expect(outgoingName(name)).toBe(left)
  })

  it('has at most 80 characters, none of them half, and is the same made twice', () => {
    const long = outgoingName('🎉'.repeat(90))
    expect(long).toBe(`${'🎉'.repeat(79)}…`)
    for (const name of [long, `${'a'.repeat(77)} evil.com`, `${'a'.repeat(78)} J.Smith and others`])
      expect(outgoingName(outgoingName(name))).toBe(outgoingName(name))
  })
})
