import { describe, expect, it } from 'vitest'
import { formatDate, formatDateRange, formatEventDate, formatTimes } from './date-range.ts'
import { applicationsAreOpen, hasEnded, instantOf, isUpcoming, todayIn, isTimeZone } from './event-time.ts'
import { mainZoneOf, usStates } from '../places/us-states.ts'

const at = (instant: string) => new Date(instant)
const chicago = 'America/Chicago'

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
    expect(isUpcoming({ endDate: '2026-03-01', timeZone: chicago }, at(instant))).toBe(upcoming)
  })

  it.each([
    [null, '2026-03-02T05:59:59Z', false],
    [null, '2026-03-02T06:00:00Z', true],
    ['21:00', '2026-03-02T02:59:59Z', false],
    ['21:00', '2026-03-02T03:00:00Z', true],
    ['21:00', '2026-03-01T03:30:00Z', false],
    ['21:00', '2026-03-03T00:00:00Z', true],
  ])('an event ending at %s has ended at %s: %s', (endTime, instant, ended) => {
    expect(hasEnded({ endDate: '2026-03-01', endTime, timeZone: chicago }, at(instant))).toBe(ended)
  })

  it.each([
    ['nothing closes it', {}, '2026-02-01T00:00:00Z', true],
    ['closed by hand', { applicationsClosed: true }, '2026-02-01T00:00:00Z', false],
    ['just before the deadline', { applicationsCloseAt: '2026-02-01T00:00:00.000Z' }, '2026-01-31T23:59:59.999Z', true],
    ['at the deadline', { applicationsCloseAt: '2026-02-01T00:00:00.000Z' }, '2026-02-01T00:00:00Z', false],
    ['over', {}, '2026-03-02T06:00:00Z', false],
  ])('applications are open when %s', (_, closing, instant, open) => {
    const event = {
      endDate: '2026-03-01',
      endTime: null,
      timeZone: chicago,
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
    expect(formatTimes({ startDate: '2026-03-01', endDate: '2026-03-01', startTime, endTime, timeZone: chicago })).toBe(
      text,
    )
  })

  it('names both zones when the clocks change during an event', () => {
    const event = {
      startDate: '2026-03-07',
      endDate: '2026-03-08',
      startTime: '18:30',
      endTime: '09:00',
      timeZone: chicago,
    }
    expect(formatEventDate(event)).toBe('March 7–8, 2026, 6:30 PM CST – 9:00 AM CDT')
  })

  it('writes a day without moving it', () => {
    expect(formatDate('2026-01-01')).toBe('January 1, 2026')
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
