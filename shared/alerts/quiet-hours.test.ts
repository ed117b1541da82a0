import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const until = (from: string, to: string, timeZone: string, now: string) =>
  quietUntil({ from, to, timeZone }, new Date(now))?.toISOString() ?? null

describe('quiet hours', () => {
  it.each([
    // Over midnight, in three zones.
    ['before they begin', '22:00', '07:00', 'America/Los_Angeles', '2026-11-22T05:59:59.000Z', null],
    [
      'at their first minute',
      '22:00',
      '07:00',
      'America/Los_Angeles',
      '2026-11-22T06:00:00Z',
      '2026-11-22T15:00:00.000Z',
    ],
    ['after midnight', '22:00', '07:00', 'America/Los_Angeles', '2026-11-22T14:59:59Z', '2026-11-22T15:00:00.000Z'],
    ['at their end', '22:00', '07:00', 'America/Los_Angeles', '2026-11-22T15:00:00Z', null],
    ['in the evening of Tokyo', '22:00', '07:00', 'Asia/Tokyo', '2026-11-21T13:30:00Z', '2026-11-21T22:00:00.000Z'],
    ['at noon of Tokyo', '22:00', '07:00', 'Asia/Tokyo', '2026-11-21T03:00:00Z', null],
    ['at night in UTC', '22:00', '07:00', 'UTC', '2026-12-31T23:00:00Z', '2027-01-01T07:00:00.000Z'],
    // Within a day.
    ['in a talk', '13:15', '14:45', 'UTC', '2026-11-21T13:15:00Z', '2026-11-21T14:45:00.000Z'],
    ['after the talk', '13:15', '14:45', 'UTC', '2026-11-21T14:45:00Z', null],
    ['until midnight', '20:00', '00:00', 'UTC', '2026-11-21T20:10:00Z', '2026-11-22T00:00:00.000Z'],
    // Clocks go from 2:00 to 3:00 on March 8, 2026, and from 2:00 back to 1:00 on November 1.
    [
      'in a night an hour shorter',
      '22:00',
      '07:00',
      'America/New_York',
      '2026-03-08T04:00:00Z',
      '2026-03-08T11:00:00.000Z',
    ],
    [
      'in a night an hour longer',
      '22:00',
      '07:00',
      'America/New_York',
      '2026-11-01T03:00:00Z',
      '2026-11-01T12:00:00.000Z',
    ],
    [
      'with an end that spring skips',
      '22:00',
      '02:30',
      'America/New_York',
      '2026-03-08T06:30:00Z',
      '2026-03-08T07:00:00.000Z',
    ],
    [
      'with an end that comes twice, before both',
      '22:00',
      '01:30',
      'America/New_York',
      '2026-11-01T04:00:00Z',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'with an end that comes twice, between them',
      '22:00',
      '01:30',
      'America/New_York',
      '2026-11-01T06:10:00Z',
      '2026-11-01T06:30:00.000Z',
    ],
    [
      'where clocks change by half an hour',
      '22:00',
      '02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:00:00Z',
      '2026-10-03T15:30:00.000Z',
    ],
  ])('%s: from %s to %s in %s at %s last until %s', (_, from, to, timeZone, now, end) => {
    expect(until(from, to, timeZone, now)).toBe(end)
  })

  it('end within a day and a clock change, whenever they are asked about', () => {
    for (const timeZone of ['America/Los_Angeles', 'Asia/Tokyo', 'UTC']) {
      for (let hour = 0; hour < 24 * 366; hour += 7) {
        const now = new Date(Date.UTC(2026, 0, 1, hour, 30))
        const end = quietUntil({ from: '21:40', to: '06:20', timeZone }, now)
        if (!end) continue
        expect(end.getTime()).toBeGreaterThan(now.getTime())
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(10 * 3_600_000)
        expect(quietUntil({ from: '21:40', to: '06:20', timeZone }, end)).toBeNull()
      }
    }
  })
})
