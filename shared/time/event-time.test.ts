import { describe, expect, it } from 'vitest'
import { upcomingIn } from '../events/event-search.ts'
import { formatDateRange, formatEventDate, formatTimes } from './date-range.ts'
import {
  applicationsAreOpen,
  endOf,
  eventDayOf,
  hasEnded,
  isOnNow,
  instantOf,
  isUpcoming,
  todayIn,
  isTimeZone,
} from './event-time.ts'
import { mainZoneOf, usStates } from '../places/us-states.ts'

const at = (instant: string) => new Date(instant)
const chicago = 'America/Chicago'
const on = (date: string, startTime: string | null, endTime: string | null) => ({
  startDate: date,
  endDate: date,
  startTime,
  endTime,
  timeZone: chicago,
})

// Whatever clock the server or the phone runs on, an event's days are the days of its own place: these run in several zones.
describe('the time of an event', () => {
  it('is asked for on a machine in the zone that the run names', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(timeZone).toBe(process.env['TZ'] ?? timeZone)
  })

  it.each([
    ['America/New_York', '2026-03-02T04:59:59Z', '2026-03-01'],
    ['America/New_York', '2026-03-02T05:00:00Z', '2026-03-02'],
    ['Pacific/Honolulu', '2026-01-01T09:59:59Z', '2025-12-31'],
    ['Pacific/Guam', '2025-12-31T14:00:00Z', '2026-01-01'],
    ['America/Chicago', '2026-11-01T06:30:00Z', '2026-11-01'],
  ])('today in %s at %s is %s', (zone, instant, day) => {
    expect(todayIn(zone, at(instant))).toBe(day)
  })

  it.each([
    ['the last second of its last day', '2026-03-02T05:59:59Z', true],
    ['the first second of the day after', '2026-03-02T06:00:00Z', false],
  ])('an event is upcoming: %s', (_, instant, upcoming) => {
    expect(isUpcoming(on('2026-03-01', null, null), at(instant))).toBe(upcoming)
  })

  it.each([
    [null, '2026-03-02T05:59:59Z', false],
    [null, '2026-03-02T06:00:00Z', true],
    ['21:00', '2026-03-02T02:59:59Z', false],
    ['21:00', '2026-03-02T03:00:00Z', true],
    ['21:00', '2026-03-01T03:30:00Z', false],
    ['21:00', '2026-03-03T00:00:00Z', true],
  ])('an event ending at %s has ended at %s: %s', (endTime, instant, ended) => {
    expect(hasEnded(on('2026-03-01', null, endTime), at(instant))).toBe(ended)
  })

  it.each([
    ['nothing closes it', {}, '2026-02-01T00:00:00Z', true],
    ['closed by hand', { applicationsClosed: true }, '2026-02-01T00:00:00Z', false],
    ['just before the deadline', { applicationsCloseAt: '2026-01-31T18:00' }, '2026-01-31T23:59:59.999Z', true],
    ['at the deadline', { applicationsCloseAt: '2026-01-31T18:00' }, '2026-02-01T00:00:00Z', false],
    [
      'an hour later where the clocks are an hour behind',
      { applicationsCloseAt: '2026-01-31T18:00', timeZone: 'America/Denver' },
      '2026-02-01T00:59:59Z',
      true,
    ],
    ['over', {}, '2026-03-02T06:00:00Z', false],
  ])('applications are open when %s', (_, closing, instant, open) => {
    const event = {
      ...on('2026-03-01', null, null),
      applicationsCloseAt: null,
      applicationsClosed: false,
      ...closing,
    }
    expect(applicationsAreOpen(event, at(instant))).toBe(open)
  })

  it.each([
    ['2026-01-15', '18:30', chicago, '2026-01-16T00:30:00.000Z'],
    ['2026-07-15', '18:30', chicago, '2026-07-15T23:30:00.000Z'],
    ['2026-03-08', '01:59', chicago, '2026-03-08T07:59:00.000Z'],
    ['2026-03-08', '03:00', chicago, '2026-03-08T08:00:00.000Z'],
    ['2026-11-01', '02:00', chicago, '2026-11-01T08:00:00.000Z'],
    ['2026-01-01', '00:00', 'Pacific/Honolulu', '2026-01-01T10:00:00.000Z'],
    // Spring skips this one: the clock shows 3:30. Autumn shows this one twice.
    ['2027-03-14', '02:30', chicago, '2027-03-14T08:30:00.000Z'],
    ['2026-11-01', '01:30', chicago, '2026-11-01T07:30:00.000Z'],
    ['2026-11-01', '00:59', chicago, '2026-11-01T05:59:00.000Z'],
    ['2027-04-04', '01:45', 'Australia/Lord_Howe', '2027-04-03T15:15:00.000Z'],
  ])('%s %s in %s is %s', (date, time, zone, instant) => {
    expect(instantOf(date, time, zone).toISOString()).toBe(instant)
  })

  it.each([
    ['2026-03-01', '2026-03-01', 'March 1, 2026'],
    ['2026-03-01', '2026-03-03', 'March 1–3, 2026'],
    ['2026-03-30', '2026-04-02', 'March 30 – April 2, 2026'],
    ['2026-12-31', '2027-01-01', 'December 31, 2026 – January 1, 2027'],
    ['2026-03-01', '2027-03-01', 'March 1, 2026 – March 1, 2027'],
    ['2028-02-29', '2028-02-29', 'February 29, 2028'],
  ])('%s to %s reads %s', (start, end, text) => {
    expect(formatDateRange(start, end)).toBe(text)
  })

  it.each([
    ['18:30', '21:00', '6:30 PM – 9:00 PM CST'],
    ['00:00', '12:00', '12:00 AM – 12:00 PM CST'],
    ['18:30', null, '6:30 PM CST'],
    [null, '21:00', 'until 9:00 PM CST'],
    [null, null, null],
  ])('times %s and %s read %s', (startTime, endTime, text) => {
    expect(formatTimes(on('2026-03-01', startTime, endTime))).toBe(text)
  })

  it.each([
    ['names both zones when clocks change', ['07', '18:30'], ['08', '09:00'], '7, 2026, 6:30 PM CST – 9:00 AM CDT'],
    ['no night where two days end earlier', ['06', '18:00'], ['07', '17:00'], '6–7, 2026, 6:00 PM – 5:00 PM CST'],
  ] as const)('an event reads: %s', (_, [start, startTime], [end, endTime], text) => {
    const days = { startDate: `2026-03-${start}`, endDate: `2026-03-${end}` }
    expect(formatEventDate({ ...days, startTime, endTime, timeZone: chicago })).toBe(`March ${text}`)
  })

  const evening = { startTime: '20:00', endTime: '01:00', timeZone: chicago }
  it.each([
    ['one date', '2026-03-06', '2026-03-06', 'March 6, 2026, 8:00 PM – 1:00 AM CST'],
    ['two dates', '2026-03-06', '2026-03-07', 'March 6, 2026, 8:00 PM – 1:00 AM CST'],
    ['three dates, which are two nights', '2026-03-05', '2026-03-07', 'March 5–6, 2026, 8:00 PM – 1:00 AM CST'],
  ])('a night that ends after midnight reads as one, whatever its dates: %s', (_, startDate, endDate, text) => {
    const event = { ...evening, startDate, endDate }
    expect(formatEventDate(event)).toBe(text)
    expect([hasEnded(event, at('2026-03-07T06:59:00Z')), hasEnded(event, at('2026-03-07T07:00:00Z'))]).toEqual([
      false,
      true,
    ])
    expect(isUpcoming(event, at('2026-03-07T06:30:00Z'))).toBe(true)
  })

  it.each([
    ['2026-03-07T01:59:59Z', false],
    ['2026-03-07T02:00:00Z', true],
    ['2026-03-07T06:59:59Z', true],
    ['2026-03-07T07:00:00Z', false],
  ])('a night is on from its start to its end after midnight: at %s: %s', (instant, isOn) => {
    expect(isOnNow({ ...evening, startDate: '2026-03-06', endDate: '2026-03-06' }, at(instant))).toBe(isOn)
  })

  it.each([
    ['9999-12-31', chicago, 1],
    ['9999-12-31', 'Pacific/Kiritimati', 1],
    ['0001-01-01', chicago, 0],
  ])('an event of %s in %s, which an older version took, breaks no list', (date, timeZone, found) => {
    const event = { ...on(date, '20:00', '01:00'), timeZone }
    expect(upcomingIn([{ ...event, state: null }], '', at('2026-11-28T12:00:00Z'))).toHaveLength(found)
    expect(isOnNow(event, at('2026-11-28T12:00:00Z'))).toBe(false)
    expect(endOf(event).toISOString()).toMatch(/^(?:9999-12-(?:29|30)|0001-01-02)T/)
    expect(formatEventDate(event)).toMatch(/^(?:December 31, 9999|January 1, 1), 8:00 PM .*– 1:00 AM/)
  })

  it.each([
    ['2026-11-01T06:31:00Z', false],
    ['2026-11-01T07:15:00Z', false],
    ['2026-11-01T07:29:59Z', false],
    ['2026-11-01T07:30:00Z', true],
    ['2026-11-01T07:59:59Z', true],
    ['2026-11-01T08:30:00Z', true],
  ])('a night that ends in the hour that autumn repeats ends once: over at %s: %s', (instant, isOver) => {
    const event = on('2026-10-31', '20:00', '01:30')
    expect([hasEnded(event, at(instant)), isOnNow(event, at(instant))]).toEqual([isOver, !isOver])
  })

  it.each([
    ['2026-11-01T06:45:00Z', '2026-10-31'],
    ['2026-11-01T07:15:00Z', '2026-10-31'],
    ['2026-11-01T07:30:00Z', '2026-11-01'],
    ['2026-11-01T08:15:00Z', '2026-11-01'],
  ])('a night that is counted into that hour ends once as well: %s belongs to %s', (instant, day) => {
    expect(eventDayOf(on('2026-10-31', '18:00', '21:30'), at(instant))).toBe(day)
  })

  it('a deadline in the hour that spring skips is not an hour early', () => {
    const event = {
      ...on('2027-03-20', null, null),
      applicationsCloseAt: '2027-03-14T02:30',
      applicationsClosed: false,
    }
    const isOpenAt = (instant: string) => applicationsAreOpen(event, at(instant))
    expect([isOpenAt('2027-03-14T08:29:59Z'), isOpenAt('2027-03-14T08:30:00Z')]).toEqual([true, false])
  })

  it.each([
    ['from 8 PM to 1 AM until 5 AM', ['20:00', '01:00'], '05:00'],
    ['from 6 PM to 9:30 PM until half past one', ['18:00', '21:30'], '01:30'],
    ['from 9 to 5 until midnight', ['09:00', '17:00'], '00:00'],
    ['without an end until 4 AM', ['18:00', null], '04:00'],
    ['at most until the next begins', ['03:00', '02:00'], '03:00'],
  ] as const)('a night %s counts for the day on which it began', (_, [startTime, endTime], until) => {
    const event = on('2026-03-06', startTime, endTime)
    const instant = instantOf('2026-03-07', until, chicago)
    expect(eventDayOf(event, instant)).toBe('2026-03-07')
    expect(eventDayOf(event, new Date(instant.getTime() - 60_000))).toBe('2026-03-06')
  })
})

describe('the main zone of a state', () => {
  it.each([
    ['Texas', 'America/Chicago'],
    ['Arizona', 'America/Phoenix'],
    ['Hawaii', 'Pacific/Honolulu'],
    [null, 'America/New_York'],
    ['Nowhere', 'America/New_York'],
  ])('%s → %s', (state, zone) => {
    expect(mainZoneOf(state)).toBe(zone)
  })

  it('is a zone this machine knows, for each of the 50 states', () => {
    for (const state of usStates) expect(todayIn(mainZoneOf(state), at('2026-03-01T12:00:00Z'))).toBe('2026-03-01')
    const eastern = usStates.filter((state) => mainZoneOf(state) === 'America/New_York')
    expect(eastern).toHaveLength(19)
  })
})

it.each([
  ['America/Los_Angeles', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['', false],
])('%s is a time zone: %s', (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne)
})
