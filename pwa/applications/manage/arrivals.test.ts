import { describe, expect, it } from 'vitest'
import { firstArrival, type Presence } from '#shared/applications/presence.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { arrivalsOf, arrivalWords, hereLine } from './arrivals.ts'

/** The evening of December 1 in San Francisco, until an hour past midnight. */
const night = {
  startDate: '2026-12-01',
  endDate: '2026-12-01',
  startTime: '20:00',
  endTime: '01:00',
  timeZone: 'America/Los_Angeles',
}
const at = (clock: string) => new Date(`${clock}-08:00`)

it.each([
  ['seen this evening, by the venue’s clock', 'approved', '2026-12-01T18:20', true],
  ['seen the night before', 'approved', '2026-12-01T01:00', false],
  ['approval revoked since', 'rejected', '2026-12-01T18:20', false],
  ['never seen', 'approved', null, false],
] as const)('here today, eight minutes past midnight: %s', (_when, status, arrived, expected) => {
  const arrivedAt = arrived && at(arrived).toISOString()
  expect(arrivalsOf(night, at('2026-12-02T00:08')).of({ status, arrivedAt })).toBe(expected)
})

it.each([
  ['two days before', '2026-11-29T12:00', false, 'Here'],
  ['the day before, for those who build up', '2026-11-30T12:00', true, 'Here'],
  ['past midnight, while the night lasts', '2026-12-02T00:08', true, 'Here'],
  ['the day after', '2026-12-02T09:00', true, 'Came'],
  ['seven days after the end', '2026-12-09T00:59', true, 'Came'],
  ['later', '2026-12-09T01:00', false, 'Came'],
] as const)('arrivals are offered %s: %s, %s', (_when, clock, offered, word) => {
  const arrivals = arrivalsOf(night, at(clock))
  expect(arrivals.offered).toBe(offered)
  expect(arrivalWords(arrivals).short).toBe(word)
})

it('an arrival that is put right later counts for the event and is noted at its end', () => {
  const later = at('2026-12-04T10:00')
  const arrivals = arrivalsOf(night, later)
  const seenAt = arrivals.seenAt(later, '2026-12-01')
  expect(seenAt).toEqual(at('2026-12-02T01:00'))
  expect(arrivals.of({ status: 'approved', arrivedAt: seenAt.toISOString() })).toBe(true)
  const during = at('2026-12-02T00:08')
  expect(arrivalsOf(night, during).seenAt(during, '2026-12-01')).toEqual(during)
})

describe('an event of three nights', () => {
  const nights = { ...night, endDate: '2026-12-04' }
  const seen = (presence: Presence) => ({ status: 'approved' as const, arrivedAt: firstArrival(presence), presence })
  const first = { '2026-12-01': at('2026-12-01T20:10').toISOString() }

  it('has a button about tonight, which also after midnight is the night before', () => {
    const second = arrivalsOf(nights, at('2026-12-03T00:30'))
    expect(second).toMatchObject({ day: '2026-12-02', pastDays: ['2026-12-01'], isOver: false })
    expect(second.of(seen(first))).toBe(false)
    expect(second.of(seen({ ...first, '2026-12-02': at('2026-12-02T21:00').toISOString() }))).toBe(true)
  })

  it('has an answer for each night once it is over, and no button about one of them', () => {
    const after = arrivalsOf(nights, at('2026-12-04T12:00'))
    expect(after).toMatchObject({ day: null, pastDays: after.days, isOver: true, offered: true })
    const known = seen({ ...first, '2026-12-02': null })
    expect(after.days.map((day) => after.on(known, day))).toEqual([true, false, undefined])
    expect(after.of(known)).toBe(true)
  })

  it('notes a night that has passed within that night', () => {
    const moment = arrivalsOf(nights, at('2026-12-04T12:00')).seenAt(at('2026-12-04T12:00'), '2026-12-02')
    expect(moment).toEqual(at('2026-12-02T20:00'))
  })
})

it('a Beacon who can’t come is not counted at the door, unless they came', () => {
  const approved = (changes: object) => applicationDocument(7, 1, { status: 'approved', ...changes })
  const arrivedAt = at('2026-12-01T20:10').toISOString()
  const people = [approved({ arrivedAt }), approved({}), approved({ coming: false })]
  const now = arrivalsOf(night, at('2026-12-01T21:00'))
  expect(hereLine(people, now)).toBe('1 of 2 here')
  expect(hereLine([...people, approved({ coming: false, arrivedAt })], now)).toBe('2 of 3 here')
})

it('somebody seen on the evening before came to a single night, unless the organizer disagrees', () => {
  const arrivedAt = at('2026-11-30T18:00').toISOString()
  const presence = { '2026-11-30': arrivedAt }
  const seen = { status: 'approved', arrivedAt, presence } as const
  expect(arrivalsOf(night, at('2026-12-01T21:00')).of(seen)).toBe(false)
  const after = arrivalsOf(night, at('2026-12-02T12:00'))
  expect(after.of(seen)).toBe(true)
  expect(after.of({ ...seen, presence: { ...presence, '2026-12-01': null } })).toBe(false)
})
