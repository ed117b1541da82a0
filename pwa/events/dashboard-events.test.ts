import { describe, expect, it } from 'vitest'
import { eventDocument } from '../sync/testing/people.ts'
import type { EventRow } from '../sync/replica/fold.ts'
import { bySpan, namedLike } from './dashboard-events.ts'

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
})
