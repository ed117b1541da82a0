import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import { broughtUpToDate, followingGone, madeOnLane, readInOrder } from './expectation.ts'
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
    ['names the one before it, also when it was made faster than the screen', 0, { args: decision(1), after: 'k3' }],
    ['names the one before it', 1, { args: decision(1), after: 'k3' }],
    ['counts on what the server said since, and keeps doing so when the one before it goes', 2, { args: decision(2) }],
  ])('%s', (_, madeOn, made) => {
    expect(madeOnLane(decideApplication, decision(madeOn), [queued])).toEqual(made)
  })

  it('names the decision before it, also when "here today" stands between', () => {
    const seen: Entry = {
      ...queued,
      seq: 4,
      key: 'k4',
      mutation: markApplication.name,
      args: { applicationId: 7, eventId: 1, name: 'Bea Brook', present: true },
    }
    expect(madeOnLane(decideApplication, decision(1), [queued, seen])).toEqual({ args: decision(1), after: 'k3' })
  })

  it('does not name one that is refused or given up', () => {
    for (const changes of [{ state: 'parked' }, { state: 'blocked' }, { discarding: true }] as const) {
      expect(madeOnLane(decideApplication, decision(0), [{ ...queued, ...changes }])).toEqual({
        args: decision(0),
      })
    }
  })
})

describe('changes that name each other', () => {
  const behind: Entry = { ...queued, seq: 4, key: 'k4', args: decision(1), after: 'k3' }
  const last: Entry = { ...queued, seq: 5, key: 'k5', args: decision(2), after: 'k4' }
  const numbersOf = (entries: readonly Entry[]) => {
    const read = readInOrder()
    return entries.map((entry) => decideApplication.expected?.of(read(entry)?.args as ReturnType<typeof decision>))
  }

  it('are counted from the first one on, whatever they expected when they were queued', () => {
    expect(numbersOf([{ ...queued, args: decision(4) }, behind, last])).toEqual([4, 5, 6])
  })

  it('are counted from what the first one came to', () => {
    const already: Entry = {
      ...queued,
      args: decision(4),
      state: 'acknowledged',
      acknowledged: { version: 9, body: { decisionNumber: 4 } },
    }
    expect(numbersOf([already, behind, last])).toEqual([3, 4, 5])
  })

  it('keep what they expected when the one before them has left the queue', () => {
    expect(numbersOf([behind, last])).toEqual([1, 2])
  })

  it('are made on what the one before them was made on when that one goes', () => {
    const [first] = followingGone([queued, behind, last], queued)
    expect(first).toEqual({ ...behind, args: decision(0), after: undefined })
    expect(first).not.toHaveProperty('after')
    expect(followingGone([queued, behind, last], behind)).toEqual([{ ...last, args: decision(1), after: 'k3' }])
    const others: Entry = { ...behind, userId: 2 }
    expect(followingGone([queued, others], queued)).toEqual([])
  })
})

describe('what an earlier version of the app queued', () => {
  it('names the change before it by its key, and counts on what was noted beside it', () => {
    const earlier = { ...queued, seq: 4, key: 'k4', args: decision(2), basedOn: 3, madeOn: 1, attempts: 1 } as Entry
    const [today] = broughtUpToDate([queued, earlier])
    expect(today).toEqual({ ...queued, seq: 4, key: 'k4', args: decision(1), after: 'k3', attempts: 1 })
    expect(broughtUpToDate([queued, today!])).toEqual([])
  })

  it('counts on its own where the change before it is gone', () => {
    const earlier = { ...queued, basedOn: 1 } as Entry
    expect(broughtUpToDate([earlier])).toEqual([queued])
  })
})
