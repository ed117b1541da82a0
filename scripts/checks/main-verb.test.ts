import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isFragment } from './main-verb.mjs'

/** A person has judged these hundred comments, of a time when many were fragments. */
const sample = readFileSync(new URL('sentence-sample.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [judged: 'fragment' | 'sentence', comment: string])

describe('a comment without a main verb', () => {
  it.each(['Of a deleted account.', 'What a person may change.', 'Null: for ever.', 'The changes of a batch.'])(
    'is a fragment: %s',
    (comment) => expect(isFragment(comment)).toBe(true),
  )

  it.each([
    'It is null for a visitor.',
    'Returns undefined for a good template.',
    'What the app says is kept.',
    'Phones keep what they sent, because a restore may ask for it again.',
    'Run `npm run build` first.',
  ])('is none with one: %s', (comment) => expect(isFragment(comment)).toBe(false))

  it('is recognised in nine of ten comments that a person has judged', () => {
    expect(sample).toHaveLength(100)
    const agreed = sample.filter(([judged, comment]) => isFragment(comment) === (judged === 'fragment'))
    expect(agreed.length).toBeGreaterThanOrEqual(90)
  })

  it('is neither found nor missed much more often than it occurs', () => {
    const judged = sample.filter(([kind]) => kind === 'fragment').length
    expect(Math.abs(sample.filter(([, comment]) => isFragment(comment)).length - judged)).toBeLessThanOrEqual(7)
  })
})
