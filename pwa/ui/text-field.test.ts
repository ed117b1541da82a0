import { expect, it } from 'vitest'
import { countWords } from './text-field.tsx'

it.each([
  ['', 0],
  ['  \n ', 0],
  ['Beacon', 1],
  ['Hello,  new\nfriend — it’s Ben ', 6],
])('%j has %i words', (text, words) => {
  expect(countWords(text)).toBe(words)
})
