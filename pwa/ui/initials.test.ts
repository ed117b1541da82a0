import { expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

it.each([
  [['Ana', 'Ruiz'], 'AR'],
  [['𠮷田', '𝒜da'], '𠮷𝒜'],
  [['👩‍🚀 Bea', '🇩🇪 Moss'], '👩‍🚀🇩🇪'],
  [['E\u0301mile', 'Z\u030codan'], 'E\u0301Z\u030c'],
  [['Ana', ''], 'A'],
])('the initials of %j are %s', (names, initials) => {
  expect(initialsOf(names)).toBe(initials)
})

it('of one name they are its first two characters', () => {
  expect(initialsOf(['olivia'], 2)).toBe('ol')
  expect(initialsOf(['o𠮷'], 2)).toBe('o𠮷')
})
