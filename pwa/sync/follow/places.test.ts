import { describe, expect, it } from 'vitest'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { createPlaces } from './progress.ts'

const documents = { applications: [] }
const poke = (version: number, since: number, sinceMark: string | null, changes: object = {}): Poke => ({
  scope: 'org',
  version,
  since,
  collections: ['applications'],
  carried: { epoch: 'e', sinceMark, mark: `m${version}`, documents, ...changes },
})

/** A copy that has pulled its applications up to version 7 and its events up to 5. */
function pulledTo7() {
  const places = createPlaces('e')
  places.pulled('applications', { epoch: 'e', version: 7, mark: 'm7' })
  places.pulled('events', { epoch: 'e', version: 5, mark: 'm5' })
  return places
}

describe('the documents of a poke', () => {
  it('continue what was pulled, then what the poke before brought', () => {
    const places = pulledTo7()
    const next = places.continuedBy(poke(8, 7, 'm7'))
    expect(next).toEqual({ epoch: 'e', version: 8, mark: 'm8' })
    places.written('org', next!)
    expect(places.continuedBy(poke(10, 8, 'm8'))).toEqual({ epoch: 'e', version: 10, mark: 'm10' })
  })

  it('continue a scope that nothing was ever written to', () => {
    const places = createPlaces('e')
    places.pulled('applications', { epoch: 'e', version: 0 })
    expect(places.continuedBy(poke(1, 0, null))).toEqual({ epoch: 'e', version: 1, mark: 'm1' })
  })

  it.each([
    ['after a gap', poke(10, 9, 'm9')],
    ['from before what is here', poke(8, 5, 'm5')],
    ['in a history that the database has left', poke(8, 7, 'other')],
    ['in another epoch', poke(8, 7, 'm7', { epoch: 'f' })],
    ['of a scope that was not pulled yet', { ...poke(8, 7, 'm7'), scope: 'account' } as const],
    ['that did not come', { scope: 'org', version: 8, since: 7, collections: ['applications'] } as const],
  ])('%s do not', (_, one) => {
    expect(pulledTo7().continuedBy(one)).toBeUndefined()
  })
})
