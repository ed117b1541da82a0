import { describe, expect, it } from 'vitest'
import { queuedEntry } from '../testing/queued-entry.ts'
import type { Entry } from '../queue/entry.ts'
import { chooseWork, heavyCharacters, shortestWait } from './claim.ts'

const now = 1_000_000
const terms = { now, account: 1, limit: 500, maxCharacters: 1_000_000, triggered: false, resumes: false }

/** A decision on an application, which is its lane. */
const decision = (seq: number, applicationId: number, changes: Partial<Entry> = {}): Entry => ({
  ...queuedEntry(`key-${seq}`, {
    lane: `application:${applicationId}`,
    args: { applicationId, eventId: 1, name: 'Bea Brook', status: 'approved', from: 'pending', basis: null },
  }),
  seq,
  ...changes,
})

const chosen = (entries: readonly Entry[], changes: Partial<typeof terms> = {}) =>
  chooseWork(entries, { ...terms, ...changes }).work?.entries.map(({ seq }) => seq)

describe('a batch', () => {
  it('takes lanes from their front, oldest first, all changes of a lane in their order', () => {
    expect(chosen([decision(1, 7), decision(2, 8), decision(3, 7), decision(4, 8)])).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['is held', { state: 'held', nextAt: now + 5_000 }],
    ['waits for its time', { nextAt: now + 500, attempts: 3 }],
    ['is being sent', { state: 'sending' }],
    ['was refused', { state: 'parked' }],
    ['waits behind a refused one', { state: 'blocked' }],
    ['waits for a sign-in', { state: 'needsAuth' }],
    ['is to be forgotten', { discarding: true, attempts: 1 }],
    ['is a rehearsal, also when its undo window has ended', { rehearsal: true }],
    ['is unknown to this app', { mutation: 'of-a-later-version' }],
  ] satisfies [string, Partial<Entry>][])('takes nothing of a lane whose front %s, and the other lanes', (_, front) => {
    const entries = [decision(1, 7, front), decision(2, 7), decision(3, 8), decision(4, 7)]
    expect(chosen(entries)).toEqual([3])
  })

  it('goes on with a lane behind what the server has', () => {
    expect(chosen([decision(1, 7, { state: 'acknowledged' }), decision(2, 7)])).toEqual([2])
  })

  it('skips no change of a lane because the batch is full', () => {
    expect(chosen([decision(1, 7), decision(2, 8), decision(3, 7)], { limit: 2 })).toEqual([1, 2])
    const long = 'x'.repeat(2_000)
    const tooLong = decision(2, 7, { lane: 'application:7', key: long })
    expect(chosen([decision(1, 7), tooLong, decision(3, 7), decision(4, 8)], { maxCharacters: 1_500 })).toEqual([1, 4])
  })

  it('leaves a large change for last, and sends it alone and with nothing of its lane', () => {
    const large = decision(1, 7, { key: 'x'.repeat(heavyCharacters) })
    expect(chosen([large, decision(2, 7), decision(3, 8)])).toEqual([3])
    const another = decision(4, 9, { key: 'y'.repeat(heavyCharacters) })
    const { work } = chooseWork([large, decision(2, 7), another], terms)
    expect([work?.isHeavy, work?.entries.map(({ seq }) => seq)]).toEqual([true, [1]])
    expect(chooseWork([decision(3, 8)], terms).work?.isHeavy).toBe(false)
  })

  it('has the changes for one organizer, and then those for another', () => {
    const entries = [decision(1, 7, { organizerId: 4 }), decision(2, 8), decision(3, 9, { organizerId: 4 })]
    const { work } = chooseWork(entries, terms)
    expect([work?.organizerId, work?.entries.map(({ seq }) => seq)]).toEqual([4, [1, 3]])
    expect(chooseWork(entries.slice(1), terms).work).toMatchObject({ organizerId: undefined, entries: [{ seq: 2 }] })
  })

  it('leaves lanes of the same name apart that belong to different accounts', () => {
    const visitor = decision(1, 7, { userId: null, state: 'parked' })
    expect(chosen([visitor, decision(2, 7)])).toEqual([2])
  })
})

it('the next time to send is that of a lane’s front, not of what waits behind it', () => {
  const front = decision(1, 7, { nextAt: now + 900, attempts: 3 })
  expect(shortestWait([front, decision(2, 7)], now, 1)).toBe(900)
  expect(shortestWait([front, decision(2, 8, { nextAt: now + 400, attempts: 3 })], now, 1)).toBe(400)
})
