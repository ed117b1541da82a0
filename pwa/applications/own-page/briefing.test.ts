import { expect, it } from 'vitest'
import { lookOf } from './briefing.tsx'

it.each([
  [undefined, ['primary', 'secondary']],
  [true, ['chosen', 'secondary']],
  [false, ['secondary', 'chosen']],
] as const)('after the answer %s the buttons for yes and no look like %s', (coming, looks) => {
  expect([lookOf(coming, true), lookOf(coming, false)]).toEqual(looks)
})
