import { expect, it } from 'vitest'
import { verdictWords } from './ready-words.ts'

it.each([
  [{ tone: 'green', lines: 8, isPartial: false }, 'Ready'],
  [{ tone: 'amber', lines: 2, isPartial: false }, 'Ready, 2 warnings'],
  [{ tone: 'amber', lines: 4, isPartial: true }, 'Partly checked: 4 warnings'],
  [{ tone: 'red', lines: 1, isPartial: true }, 'Not ready: 1 problem'],
] as const)('a verdict %j reads %s', (verdict, words) => {
  expect(verdictWords(verdict)).toBe(words)
})
