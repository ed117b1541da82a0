import { describe, expect, it } from 'vitest'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { Entry, EntryState, Receipt } from '../../sync/queue/entry.ts'
import { beaFields as bea } from '../../sync/testing/people.ts'
import { queuedEntry } from '../../sync/testing/queued-entry.ts'
import {
  foldOwnChanges,
  groundlessRefusals,
  knownFromReceipts,
  knownFromSent,
  newestKnown,
  ownChanges,
} from './own-page-state.ts'

const application: OwnApplication = {
  ...bea,
  id: 7,
  eventId: 12,
  status: 'approved',
  decidedAt: '2026-03-01T10:00:00.000Z',
  withdrawnAt: null,
  createdAt: '2026-03-01T09:00:00.000Z',
}

function entry(seq: number, mutation: string, args: object, state: EntryState = 'queued'): Entry {
  const about = { applicationId: 7, eventId: 12, eventName: 'Mixer', name: 'Bea Brook', token: 't', ...args }
  const changes = { userId: null, lane: 'own-application:7', mutation, args: about, state }
  return { ...queuedEntry(`key-${seq}`, changes), seq }
}
const correction = (seq: number, bio: string, state?: EntryState) =>
  entry(seq, 'correct-application', { fields: { ...bea, bio } }, state)

describe('one’s own application with what waits on this device', () => {
  it('shows the newest correction and keeps the state that the server said', () => {
    const state = foldOwnChanges(application, [correction(1, 'One'), correction(2, 'Two', 'sending')])
    expect(state.shown).toEqual({ ...application, bio: 'Two' })
    expect(state.correcting?.seq).toBe(2)
  })

  it('is not shown as corrected by what the server refused, which stays to be repaired', () => {
    const state = foldOwnChanges(application, [correction(1, 'One', 'parked')])
    expect(state.shown.bio).toBe(bea.bio)
    expect(state.refused?.seq).toBe(1)
    expect(state.correcting).toBeNull()
  })

  it('is not shown as withdrawn before the server said so', () => {
    const state = foldOwnChanges(application, [entry(1, 'withdraw-application', { name: 'Bea Moss' })])
    expect(state.withdrawing?.seq).toBe(1)
    expect(state.shown.withdrawnAt).toBeNull()
  })

  it('is not shown as applied for again before the server said so', () => {
    const withdrawn = { ...application, status: 'rejected' as const, withdrawnAt: '2026-03-01T11:00:00.000Z' }
    const state = foldOwnChanges(withdrawn, [entry(1, 'apply-again', { finishedAt: '2026-03-01T12:00:00.000Z' })])
    expect([state.applyingAgain?.seq, state.shown.withdrawnAt]).toEqual([1, withdrawn.withdrawnAt])
  })

  it('shows the newest answer about coming', () => {
    const says = (seq: number, coming: boolean) => entry(seq, 'say-coming', { coming })
    const state = foldOwnChanges(application, [says(1, true), says(2, false)])
    expect([state.shown.coming, state.answering?.seq]).toEqual([false, 2])
  })

  it('is shown as here while that waits, beside earlier arrivals', () => {
    const [before, now] = ['2026-03-08T18:00:00.000Z', '2026-03-09T18:00:00.000Z']
    const arrives = entry(1, 'check-in', { seenAt: now })
    const state = foldOwnChanges({ ...application, arrivals: [before] }, [arrives])
    expect([state.shown.arrivals, state.checkingIn?.seq]).toEqual([[before, now], 1])
    expect(foldOwnChanges(application, [{ ...arrives, state: 'parked' }]).shown.arrivals).toBeUndefined()
  })

  it('drops an answer refused for a revocation once approved again, and no other refusal', () => {
    const at = '2026-03-01T12:00:00.000Z'
    const problem = { code: 'not_allowed_now' as const, message: 'You are not a Beacon at this event.', requestId: 'r' }
    const refused = { ...entry(1, 'say-coming', { coming: false }, 'parked'), refusal: { status: 409, problem, at } }
    const days = { startDate: '2026-03-09', endDate: '2026-03-09', startTime: null, endTime: '20:00' }
    const event = { ...days, timeZone: 'America/Chicago' }
    const found = (asOf: string, status: OwnApplication['status'] = 'approved', now = '2026-03-02T12:00:00Z') =>
      groundlessRefusals({ value: { status }, asOf }, [refused, correction(2, 'One', 'parked')], event, new Date(now))
    expect(found('2026-03-01T13:00:00.000Z')).toEqual([refused])
    expect(found('2026-03-01T11:00:00.000Z'), 'kept from before the revocation').toEqual([])
    expect(found('2026-03-01T13:00:00.000Z', 'rejected')).toEqual([])
    expect(found('2026-03-11T13:00:00.000Z', 'approved', '2026-03-11T13:00:00Z'), 'the event is over').toEqual([])
  })

  it('shows a photo that waits until it is taken back', () => {
    const photo = entry(1, 'set-face', { picture: 'AAAA', type: 'image/webp' })
    expect(foldOwnChanges(application, [photo]).photo).toBe('data:image/webp;base64,AAAA')
    expect(foldOwnChanges(application, [photo, entry(2, 'remove-face', {})]).photo).toBeNull()
  })

  it('is as before while a change is being given up', () => {
    const state = foldOwnChanges(application, [{ ...correction(1, 'One'), discarding: true }])
    expect(state).toEqual(foldOwnChanges(application, []))
  })

  it('counts no other application’s changes and no other kind', () => {
    const entries = [
      entry(1, 'withdraw-application', { applicationId: 8 }),
      entry(2, 'apply-as-beacon', { fields: bea }),
      correction(3, 'Mine'),
    ]
    expect(ownChanges(entries, 7).map(({ seq }) => seq)).toEqual([3])
  })
})

describe('what this device knows of it', () => {
  const answered = (at: string, token: string, bio: string): Receipt => ({
    seq: 1,
    key: at,
    mutation: 'correct-application',
    argsVersion: 1,
    args: { applicationId: 7, token },
    answer: { ...application, bio },
    at,
  })

  it('is the newest of what was kept, answered and sent', () => {
    const sent = knownFromSent(12, {
      id: 7,
      token: 't',
      fields: bea,
      at: '2026-03-01T09:00:00.000Z',
      status: 'pending',
    })
    const receipts = [
      answered('2026-03-01T11:00:00.000Z', 't', 'Newer'),
      answered('2026-03-01T10:30:00.000Z', 't', 'Older'),
    ]
    const known = newestKnown(undefined, sent, knownFromReceipts(receipts, 't'))
    expect(known?.value.bio).toBe('Newer')
    expect(newestKnown(sent, null)?.value).toMatchObject({ status: 'pending', withdrawnAt: null, bio: bea.bio })
  })

  it('is nothing of an application that another token opens', () => {
    expect(knownFromReceipts([answered('2026-03-01T11:00:00.000Z', 'other', 'Secret')], 't')).toBeNull()
  })
})
