import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const [losAngeles, newYork, tokyo] = ['America/Los_Angeles', 'America/New_York', 'Asia/Tokyo']

describe('quiet hours', () => {
  it.each([
    // Over midnight, in three zones.
    ['before they begin', '22:00–07:00', losAngeles, '2026-11-22T05:59:59', null],
    ['at their first minute', '22:00–07:00', losAngeles, '2026-11-22T06:00', '2026-11-22T15:00'],
    ['after midnight', '22:00–07:00', losAngeles, '2026-11-22T14:59:59', '2026-11-22T15:00'],
    ['at their end', '22:00–07:00', losAngeles, '2026-11-22T15:00', null],
    ['in the evening of Tokyo', '22:00–07:00', tokyo, '2026-11-21T13:30', '2026-11-21T22:00'],
    ['at noon of Tokyo', '22:00–07:00', tokyo, '2026-11-21T03:00', null],
    ['at night in UTC', '22:00–07:00', 'UTC', '2026-12-31T23:00', '2027-01-01T07:00'],
    // Within a day.
    ['in a talk', '13:15–14:45', 'UTC', '2026-11-21T13:15', '2026-11-21T14:45'],
    ['after the talk', '13:15–14:45', 'UTC', '2026-11-21T14:45', null],
    ['until midnight', '20:00–00:00', 'UTC', '2026-11-21T20:10', '2026-11-22T00:00'],
    // Clocks go from 2:00 to 3:00 on March 8, 2026, and from 2:00 back to 1:00 on November 1.
    ['in a night an hour shorter', '22:00–07:00', newYork, '2026-03-08T04:00', '2026-03-08T11:00'],
    ['in a night an hour longer', '22:00–07:00', newYork, '2026-11-01T03:00', '2026-11-01T12:00'],
    ['with an end that spring skips', '22:00–02:30', newYork, '2026-03-08T06:30', '2026-03-08T07:00'],
    ['with an end that comes twice, before both', '22:00–01:30', newYork, '2026-11-01T04:00', '2026-11-01T05:30'],
    ['with an end that comes twice, between them', '22:00–01:30', newYork, '2026-11-01T06:10', '2026-11-01T06:30'],
    [
      'where clocks change by half an hour',
      '22:00–02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:00',
      '2026-10-03T15:30',
    ],
  ])('%s: %s in %s at %s UTC last until %s', (_, hours, timeZone, now, end) => {
    const [from, to] = hours.split('–') as [string, string]
    const until = quietUntil({ from, to, timeZone }, new Date(`${now}Z`))
    expect(until).toEqual(end && new Date(`${end}Z`))
  })
})
