import { describe, expect, it } from 'vitest'
import { eventDocument } from '../sync/testing/people.ts'
import type { EventRow } from '../sync/replica/fold.ts'
import { bySpan, namedLike, todaysEvents, todaysTitle } from './dashboard-events.ts'

const row = (id: number, startDate: string, changes: object = {}) =>
  ({ event: eventDocument(id, { startDate, endDate: startDate, ...changes }) }) as unknown as EventRow
const ids = (rows: readonly EventRow[]) => rows.map(({ event }) => event.id)

describe('the dashboard’s events', () => {
  /** Late on December 1 in San Francisco, where the events are. */
  const now = new Date('2026-12-02T05:00:00Z')
  const rows = [
    row(1, '2026-11-20'),
    row(2, '2026-11-30'),
    row(3, '2026-12-01', { startTime: null, endTime: null }),
    row(4, '2026-12-07'),
    row(5, '2026-12-08'),
  ]

  it('are today’s, this week’s, later and past ones by the clock of their place', () => {
    const found = bySpan(rows, now)
    expect(ids(found.today)).toEqual([3])
    expect(ids(found.week)).toEqual([3, 4])
    expect(ids(found.later)).toEqual([5])
    expect(ids(found.upcoming)).toEqual([3, 4, 5])
    expect(ids(found.past), 'the latest first').toEqual([2, 1])
  })

  it('are found by name, venue and city', () => {
    const named = [row(1, '2026-12-01', { name: 'Lantern Walk', city: 'Austin' }), row(2, '2026-12-01')]
    expect(ids(namedLike(named, 'austin walk'))).toEqual([1])
    expect(ids(namedLike(named, 'pier'))).toEqual([1, 2])
    expect(ids(namedLike(named, ' '))).toEqual([1, 2])
  })

  it('are found by the plain letters of a name with accents', () => {
    const named = [row(1, '2026-12-01', { name: 'Soirée O’Neil', city: 'Łódź' }), row(2, '2026-12-01')]
    expect(ids(namedLike(named, "soiree o'neil lodz"))).toEqual([1])
  })

  const hours = (startTime: string | null, endTime: string | null, endDate = '2026-12-01') =>
    ({ ...row(9, '2026-12-01', { startTime, endTime, endDate, name: 'Makers' }), counts: { pending: 27 } }) as EventRow
  const leading = (one: EventRow, clock: string) =>
    todaysEvents([one], new Date(`${clock}-08:00`)).map((today) => todaysTitle(today))

  it.each([
    ['from the morning', hours('20:00', '23:00'), '2026-12-01T06:00', 'Tonight: Makers, 27 waiting'],
    ['during a night that ends tomorrow', hours('20:00', '01:00'), '2026-12-02T00:30', 'Tonight: Makers, 27 waiting'],
    ['in the daytime', hours('09:00', '16:00'), '2026-12-01T08:00', 'Today: Makers, 27 waiting'],
    ['without times', hours(null, null), '2026-12-01T23:00', 'Today: Makers, 27 waiting'],
    ['on the opening night', hours('18:00', '17:00', '2026-12-03'), '2026-12-01T12:00', 'Tonight: Makers, 27 waiting'],
    ['on the days after it', hours('18:00', '17:00', '2026-12-03'), '2026-12-02T12:00', 'Today: Makers, 27 waiting'],
    ['the day before', hours('20:00', '01:00'), '2026-11-30T23:00', undefined],
    ['when it has ended', hours('09:00', '16:00'), '2026-12-01T16:00', undefined],
    ['when the night has ended', hours('20:00', '01:00'), '2026-12-02T01:00', undefined],
  ] as const)('lead the dashboard on their day: %s', (_when, one, clock, title) => {
    expect(leading(one, clock)).toEqual(title === undefined ? [] : [title])
  })

  it('say no number while nobody waits', () => {
    const quiet = { ...hours('20:00', '23:00'), counts: { pending: 0, approved: 3, rejected: 0 } }
    expect(leading(quiet, '2026-12-01T18:00')).toEqual(['Tonight: Makers'])
  })
})
