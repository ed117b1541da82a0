import { expect, it } from 'vitest'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { applicationDocument, eventDocument } from '../../../sync/testing/people.ts'
import { trackRecord } from './track-record.ts'

const at = '2026-03-01T19:00:00.000Z'
const email = 'Bea@Example.com'

/** An event on the first of a month, with applications. */
function pastEvent(month: number, ...applications: Partial<ApplicationDocument>[]) {
  const startDate = `2026-0${month}-01`
  const rows = applications.map((changes, index) => ({
    application: applicationDocument(month * 10 + index, month, { email, status: 'approved', ...changes }),
    syncState: 'confirmed' as const,
    entry: null,
    entries: [],
  }))
  return { event: { ...eventDocument(month), startDate, endDate: startDate }, rows }
}

const asked = { email: 'BEA@example.com', eventId: 9 }
const recordOf = (past: ReturnType<typeof pastEvent>[]) => trackRecord(asked, past, '2026-09-01')

it('counts the events of an approved Beacon, in any case of letters, and those they came to', () => {
  const past = [pastEvent(1, { arrivedAt: at }), pastEvent(2, { arrivedAt: at }), pastEvent(3, {})]
  expect(recordOf(past)).toBe('Beacon at 3 of your events, came to 2')
})

it.each([
  ['rejected', pastEvent(1, { status: 'rejected' })],
  ['somebody else', pastEvent(1, { email: 'ana@example.com' })],
  ['an event after this one', { ...pastEvent(1, {}), event: { ...eventDocument(1), startDate: '2026-09-02' } }],
  ['an event that was cancelled', { ...pastEvent(1, {}), event: { ...pastEvent(1).event, cancelledAt: at } }],
  ['one who said that they can’t come', pastEvent(1, { coming: false })],
  ['this event', { ...pastEvent(1, {}), event: { ...eventDocument(9), startDate: '2026-01-01' } }],
])('says nothing of %s', (_, past) => {
  expect(recordOf([past])).toBeNull()
})

it('believes what the organizer said of the day more than an arrival on the evening before', () => {
  const presence = { '2026-02-28': '2026-02-28T19:00:00.000Z' }
  const built = { arrivedAt: presence['2026-02-28'], presence }
  expect(recordOf([pastEvent(3, built)])).toBe('Beacon at 1 of your events, came to 1')
  const missing = { ...built, presence: { ...presence, '2026-03-01': null } }
  expect(recordOf([pastEvent(3, missing)])).toBe('Beacon at 1 of your events, came to none')
})

it('counts who came although they had said that they can’t', () => {
  expect(recordOf([pastEvent(1, { coming: false, arrivedAt: at })])).toBe('Beacon at 1 of your events, came to 1')
})

it('says nothing of arrivals where nobody noted any', () => {
  expect(recordOf([pastEvent(1, {})])).toBe('Beacon at 1 of your events')
  expect(recordOf([pastEvent(1, {}, { email: 'ana@example.com', arrivedAt: at })])).toBe(
    'Beacon at 1 of your events, came to none',
  )
})

it('says nothing of a walk-in without an address', () => {
  expect(trackRecord({ ...asked, email: '' }, [pastEvent(1, { email: '' })], '2026-09-01')).toBeNull()
})
