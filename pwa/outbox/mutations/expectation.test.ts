import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import { countOnPredecessor } from './expectation.ts'
import { decideApplication } from './decide-application.ts'
import { markApplication } from './mark-application.ts'

const decision = (expectedDecisionNumber: number) =>
  ({
    applicationId: 7,
    eventId: 1,
    name: 'Bea Brook',
    status: 'approved',
    from: 'pending',
    expectedDecisionNumber,
  }) as const

const queued: Entry = {
  seq: 3,
  key: 'k3',
  userId: 1,
  lane: 'application:7',
  mutation: decideApplication.name,
  args: decision(0),
  argsVersion: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'queued',
  attempts: 0,
  nextAt: 0,
}

describe('a change that is queued behind another one of its lane', () => {
  it.each([
    ['counts on the one before it, also when it was made faster than the screen', 0, { args: decision(1), basedOn: 3 }],
    ['counts on the one before it', 1, { args: decision(1), basedOn: 3 }],
    ['counts on what the server said since, and keeps doing so when the one before it goes', 2, { args: decision(2) }],
  ])('%s', (_, madeOn, counted) => {
    expect(countOnPredecessor(decideApplication, decision(madeOn), [queued])).toEqual(counted)
  })

  it('counts on the decision before it, also when "here today" stands between', () => {
    const seen: Entry = {
      ...queued,
      seq: 4,
      key: 'k4',
      mutation: markApplication.name,
      args: { applicationId: 7, eventId: 1, name: 'Bea Brook', present: true },
    }
    expect(countOnPredecessor(decideApplication, decision(1), [queued, seen])).toEqual({
      args: decision(1),
      basedOn: 3,
    })
  })

  it('does not count on one that is refused or given up', () => {
    for (const changes of [{ state: 'parked' }, { state: 'blocked' }, { discarding: true }] as const) {
      expect(countOnPredecessor(decideApplication, decision(0), [{ ...queued, ...changes }])).toEqual({
        args: decision(0),
      })
    }
  })
})
