import { describe, expect, it } from 'vitest'
import type { Entry, EntryState, Receipt } from '../sync/queue/entry.ts'
import { beaFields } from '../sync/testing/people.ts'
import { queuedEntry } from '../sync/testing/queued-entry.ts'
import { newestApplication } from './own-application.ts'

const argsOf = (eventId: number, firstName: string) => ({
  id: 410100000002,
  eventId,
  eventName: 'Spring Mixer',
  fields: { ...beaFields, firstName },
})

function entry(seq: number, state: EntryState, args: unknown, mutation = 'apply-as-beacon'): Entry {
  const answered = state === 'acknowledged' ? { acknowledged: { version: null, body: answer } } : {}
  const about = { userId: null, lane: `apply:${seq}`, mutation, args }
  return { ...queuedEntry(`key-${seq}`, { ...about, state, ...answered }), seq }
}

const answer = { id: 7, token: 'what opens it' }
const receipt = (at: string, args: unknown): Receipt => ({
  seq: 1,
  key: at,
  mutation: 'apply-as-beacon',
  args,
  argsVersion: 1,
  answer,
  at,
})
const newest = (entries: readonly Entry[], receipts: readonly Receipt[] = []) =>
  newestApplication(entries, receipts, 12)

describe('an application made on this device', () => {
  it.each<[EntryState, string]>([
    ['queued', 'on-this-device'],
    ['sending', 'on-this-device'],
    ['needsAuth', 'on-this-device'],
    ['parked', 'refused'],
    ['blocked', 'refused'],
    ['acknowledged', 'sent'],
  ])('is, while its entry is %s, %s', (state, expected) => {
    expect(newest([entry(1, state, argsOf(12, 'Ben'))])?.state).toBe(expected)
  })

  it('counts as sent once only its receipt is left', () => {
    expect(newest([], [receipt('2026-03-01T10:00:05.000Z', argsOf(12, 'Ben'))])).toEqual({
      state: 'sent',
      sent: { ...answer, fields: argsOf(12, 'Ben').fields, at: '2026-03-01T10:00:05.000Z', status: 'pending' },
    })
  })

  it('that the organizer’s phone brought before may be decided by the time it is sent', () => {
    const brought = { ...receipt('2026-03-01', argsOf(12, 'Ben')), answer: { ...answer, status: 'approved' } }
    expect(newest([], [brought])).toMatchObject({ state: 'sent', sent: { status: 'approved' } })
  })

  it('is shown for its own event only, and not taken for another kind of change', () => {
    expect(newest([entry(1, 'queued', argsOf(13, 'Ben'))], [receipt('2026-03-01', argsOf(14, 'Bea'))])).toBeNull()
    expect(newest([entry(1, 'queued', { eventId: 12 }, 'delete-event')])).toBeNull()
  })

  it('is the one still on its way when an earlier person on the same phone has already arrived', () => {
    const found = newest([entry(2, 'queued', argsOf(12, 'Bea'))], [receipt('2026-03-01', argsOf(12, 'Ben'))])
    expect(found).toMatchObject({ state: 'on-this-device', args: { fields: { firstName: 'Bea' } } })
  })

  it('is the newest of several that wait', () => {
    const found = newest([entry(1, 'queued', argsOf(12, 'Ben')), entry(2, 'parked', argsOf(12, 'Bea'))])
    expect(found).toMatchObject({ state: 'refused', args: { fields: { firstName: 'Bea' } } })
  })

  it('that waits behind a refused one is told about with the reason of the refused one', () => {
    const behind = { ...entry(2, 'blocked', argsOf(12, 'Ben')), lane: 'apply:1' }
    const found = newest([entry(1, 'parked', argsOf(12, 'Ben')), behind])
    expect(found).toMatchObject({ state: 'refused', entry: { seq: 1, state: 'parked' } })
  })
})
