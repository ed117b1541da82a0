import { describe, expect, it } from 'vitest'
import { linesWithin } from './draw-beacon-picture.ts'

/** Ten to a line, each character as wide as the others. */
const broken = (text: string, maxLines = 2) =>
  linesWithin(text, { widthOf: (part) => [...part].length, maxWidth: 10, maxLines })

describe('the name of an event in a picture', () => {
  it.each([
    ['Harbor', ['Harbor']],
    ['Harbor Mixer', ['Harbor', 'Mixer']],
    ['A B C D  E F G', ['A B C D E', 'F G']],
    ['The very long Harbor Mixer', ['The very', 'long…']],
    ['Donaudampfschiff', ['Donaudamp…']],
    ['', []],
  ])('%j is broken into %j', (name, lines) => {
    expect(broken(name)).toEqual(lines)
  })
})
