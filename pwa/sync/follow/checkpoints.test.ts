import { describe, expect, it } from 'vitest'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { createCheckpoints } from './progress.ts'

const poke = (version: number, from: string): Poke => ({
  scope: 'org',
  version,
  since: version - 1,
  collections: ['applications'],
  carried: { from, to: `e.${version}`, documents: { applications: [] } },
})

/** A copy that has pulled its applications up to version 7 and its events up to 5. */
function pulledTo7() {
  const checkpoints = createCheckpoints()
  checkpoints.pulled('applications', { version: 7, checkpoint: 'e.7' })
  checkpoints.pulled('events', { version: 5, checkpoint: 'e.5' })
  return checkpoints
}

describe('the documents of a poke', () => {
  it('continue what was pulled, then what the poke before brought', () => {
    const checkpoints = pulledTo7()
    expect(checkpoints.isContinuedBy(poke(8, 'e.7'))).toBe(true)
    checkpoints.written(poke(8, 'e.7'))
    expect(checkpoints.isContinuedBy(poke(10, 'e.8'))).toBe(true)
    expect(checkpoints.isContinuedBy(poke(8, 'e.7')), 'the same poke once more').toBe(false)
  })

  it('continue a scope that nothing was ever written to', () => {
    const checkpoints = createCheckpoints()
    checkpoints.pulled('applications', { version: 0, checkpoint: 'e.0' })
    expect(checkpoints.isContinuedBy(poke(1, 'e.0'))).toBe(true)
  })

  it.each([
    ['after a gap', poke(10, 'e.9')],
    ['from before what is here', poke(8, 'e.5')],
    ['in another history', poke(8, 'f.7')],
    ['of a scope that was not pulled yet', { ...poke(8, 'e.7'), scope: 'account' } as const],
    ['that did not come', { scope: 'org', version: 8, since: 7, collections: ['applications'] } as const],
  ])('%s do not', (_, one) => {
    expect(pulledTo7().isContinuedBy(one)).toBe(false)
  })
})
