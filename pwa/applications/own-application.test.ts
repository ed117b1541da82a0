import { describe, expect, it } from 'vitest'
import type { Entry, EntryState, Receipt } from '../sync/queue/entry.ts'
import { beaFields } from '../sync/testing/people.ts'
import { newestApplication } from './own-application.ts'

const argsOf = (eventId: number, firstName: string) => ({
  id: 410100000002,
  eventId,
  eventName: 'Spring Mixer',
  fields: { ...beaFields, firstName },
})

function entry(seq: number, state: EntryState, args: unknown, mutation = 'apply-as-beacon'): Entry {
  return {
    seq,
    key: `key-${seq}`,
    userId: null,
    lane: `apply:${seq}`,
    mutation,
    args,
    argsVersion: 1,
    createdAt: '2026-03-01T10:00:00.000Z',
    state,
    attempts: 0,
    nextAt: 0,
    ...(state === 'acknowledged' ? { acknowledged: { version: null, body: answer } } : {}),
  }
}

const answer = { id: 7, token: 'what opens it' }
const receipt = (at: string, args: unknown): Receipt => ({ key: at, mutation: 'apply-as-beacon', args, answer, at })

describe('an application made on this device', () => {
  it.each<[EntryState, string]>([
    ['queued', 'on-this-device'],
    ['sending', 'on-this-device'],
    ['needsAuth', 'on-this-device'],
    ['parked', 'refused'],
    ['blocked', 'refused'],
    ['acknowledged', 'sent'],
  ])('is, while its entry is %s, %s', (state, expected) => {
    expect(newestApplication([entry(1, state, argsOf(12, 'Ben'))], [], 12)?.state).toBe(expected)
  })

  it('counts as sent once only its receipt is left', () => {
    expect(newestApplication([], [receipt('2026-03-01T10:00:05.000Z', argsOf(12, 'Ben'))], 12)).toEqual({
      state: 'sent',
      sent: { ...answer, fields: argsOf(12, 'Ben').fields, at: '2026-03-01T10:00:05.000Z' },
    })
  })

  it('is shown for its own event only', () => {
    expect(
      newestApplication([entry(1, 'queued', argsOf(13, 'Ben'))], [receipt('2026-03-01', argsOf(14, 'Bea'))], 12),
    ).toBeNull()
  })

  it('is the one still on its way when an earlier person on the same phone has already arrived', () => {
    const newest = newestApplication(
      [entry(2, 'queued', argsOf(12, 'Bea'))],
      [receipt('2026-03-01', argsOf(12, 'Ben'))],
      12,
    )
    expect(newest).toMatchObject({ state: 'on-this-device', args: { fields: { firstName: 'Bea' } } })
  })

  it('is the newest of several that wait', () => {
    const newest = newestApplication(
      [entry(1, 'queued', argsOf(12, 'Ben')), entry(2, 'parked', argsOf(12, 'Bea'))],
      [],
      12,
    )
    expect(newest).toMatchObject({ state: 'refused', args: { fields: { firstName: 'Bea' } } })
  })

  it('that waits behind a refused one is told about with the reason of the refused one', () => {
    const newest = newestApplication(
      [entry(1, 'parked', argsOf(12, 'Ben')), { ...entry(2, 'blocked', argsOf(12, 'Ben')), lane: 'apply:1' }],
      [],
      12,
    )
    expect(newest).toMatchObject({ state: 'refused', entry: { seq: 1, state: 'parked' } })
  })

  it('is not taken for another kind of change', () => {
    expect(newestApplication([entry(1, 'queued', { eventId: 12 }, 'delete-event')], [], 12)).toBeNull()
  })
})
