import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calendarFile, calendarLinks } from '#shared/events/calendar.ts'
import { datedEventFields, type EventFields } from '#shared/events/event.ts'
import { mainZoneOf, usStates } from '#shared/places/us-states.ts'
import { formatDeadline, formatEventDate } from '#shared/time/date-range.ts'
import { asWallClock, deadlineOf, endOf } from '#shared/time/event-time.ts'
import { emptyEventForm, eventFormValues } from './event-form-values.ts'

/** All states have these. Other clocks change by half an hour or at midnight, or are a quarter of an hour off. */
const zones = [
  ...new Set(usStates.map(mainZoneOf)),
  'Europe/London',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
]

const dayMs = 86_400_000
const dateAfter = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** Each begins a month that holds a clock change, a leap day or New Year's Eve. */
const monthsBegin = ['2027-03-01', '2027-10-20', '2028-02-10', '2026-12-15', '2027-04-01', '2027-09-01']
const day = fc
  .tuple(fc.constantFrom(...monthsBegin), fc.integer({ min: 0, max: 30 }))
  .map(([first, days]) => dateAfter(first, days))
const two = (value: number) => String(value).padStart(2, '0')
/** Clocks change in these hours, so half of the times are among them. */
const hour = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 }))
const time = fc.tuple(hour, fc.integer({ min: 0, max: 59 })).map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`)

const typed = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    startDate: day,
    moreDays: fc.integer({ min: 0, max: 3 }),
    times: fc.tuple(time, time),
    closes: fc.tuple(day, time),
  })
  .map(({ timeZone, startDate, moreDays, times, closes }) => {
    const [startTime, endTime] = times
    // A night has one date.
    const isNight = endTime <= startTime
    const endDate = isNight ? startDate : dateAfter(startDate, moreDays)
    return { timeZone, startDate, endDate, startTime, endTime, isNight, applicationsCloseAt: closes.join('T') }
  })

const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
)
const shownAt = (instant: Date, timeZone: string) => clocks.get(timeZone)!.format(instant)

/** No place has another offset from UTC. */
const offsets = Array.from({ length: 4 * 27 }, (_, quarter) => (quarter - 4 * 12) * 900_000)

/** Finds by trying the latest instant at which the clock shows this. Spring skips some times: they have none. */
function lastInstantOf(date: string, clock: string, timeZone: string): Date | undefined {
  const wanted = `${date} ${clock}`
  return offsets
    .map((offset) => new Date(Date.parse(`${date}T${clock}Z`) - offset))
    .filter((instant) => shownAt(instant, timeZone) === wanted)
    .sort((one, other) => Number(one) - Number(other))
    .at(-1)
}

/** A time that spring skips goes forward. */
function expectInstant(instant: Date, date: string, clock: string, timeZone: string): void {
  const meant = lastInstantOf(date, clock, timeZone)
  if (meant) expect(instant.toISOString(), `${date} ${clock} ${timeZone}`).toBe(meant.toISOString())
  else expect(shownAt(instant, timeZone) > `${date} ${clock}`).toBe(true)
}

const longDate = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date))
const shortTime = (clock: string) =>
  new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' })
    .format(Date.parse(`2000-01-01T${clock}Z`))
    .replace('\u202F', ' ')

const instantIn = (compact: string) => new Date(compact.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const parse = ({ timeZone, startDate, endDate, startTime, endTime, applicationsCloseAt }: TypedTimes) => {
  const texts = { name: 'Mixer', description: 'Talk.', location: 'Pier', address: '1 Pier', beaconIncentives: 'Dinner' }
  const form = { ...emptyEventForm, ...texts, startDate, endDate, startTime, endTime, applicationsCloseAt }
  const fields: EventFields = datedEventFields.parse(form)
  return { form, event: { ...fields, id: 1, timeZone } }
}
type TypedTimes = typeof typed extends fc.Arbitrary<infer T> ? T : never

const always = (holds: (times: TypedTimes) => void) => fc.assert(fc.property(typed, holds), { seed: 56, numRuns: 200 })

it('the form shows again what was typed, after the server has kept it', () => {
  always((times) => {
    const { form, event } = parse(times)
    const kept = { ...event, applicationsCloseAt: asWallClock(times.applicationsCloseAt, times.timeZone) }
    expect(eventFormValues(JSON.parse(JSON.stringify(kept)))).toEqual(form)
  })
})

it('pages and mails show the days, times and deadline that were typed', () => {
  always((times) => {
    const { event } = parse(times)
    const shown = formatEventDate(event)
    const [month = '', dayOfMonth = ''] = longDate(times.startDate).split(/[ ,]+/)
    expect(shown.startsWith(`${month} ${dayOfMonth}`)).toBe(true)
    expect(shown).toContain(` ${shortTime(times.startTime)}`)
    expect(shown).toContain(`– ${shortTime(times.endTime)}`)
    if (times.startDate === times.endDate) expect(shown.startsWith(`${longDate(times.startDate)}, `)).toBe(true)
    const [date = '', clock = ''] = times.applicationsCloseAt.split('T')
    expect(formatDeadline(event)).toContain(`${longDate(date)}, ${shortTime(clock)} `)
  })
})

it('the deadline and the end are the instants at which the event’s clock shows them', () => {
  always((times) => {
    const { event } = parse(times)
    const [date = '', clock = ''] = times.applicationsCloseAt.split('T')
    const deadline = deadlineOf(event)!
    expectInstant(deadline, date, clock, times.timeZone)
    const isSkipped = lastInstantOf(date, clock, times.timeZone) === undefined
    expect(isSkipped || asWallClock(deadline.toISOString(), times.timeZone) === times.applicationsCloseAt).toBe(true)
    const lastDate = times.isNight ? dateAfter(times.endDate, 1) : times.endDate
    expectInstant(endOf(event), lastDate, times.endTime, times.timeZone)
  })
})

it('calendars show each day at the hours that were typed', () => {
  always((times) => {
    const { event } = parse(times)
    const file = calendarFile(event, 'https://beaconry.example', new Date(0))
    const entries = file.split('BEGIN:VEVENT').slice(1)
    expect(entries).toHaveLength((Date.parse(times.endDate) - Date.parse(times.startDate)) / dayMs + 1)
    for (const [index, entry] of entries.entries()) {
      const date = dateAfter(times.startDate, index)
      const [start = '', end] = [...entry.matchAll(/^DT(?:START|END):(\w+)/gm)].map(([, instant = '']) => instant)
      expectInstant(instantIn(start), date, times.startTime, times.timeZone)
      const lastDate = dateAfter(date, times.isNight ? 1 : 0)
      if (end !== undefined) expectInstant(instantIn(end), lastDate, times.endTime, times.timeZone)
      else
        expect(Number(lastInstantOf(lastDate, times.endTime, times.timeZone) ?? 0)).toBeLessThanOrEqual(
          Number(instantIn(start)),
        )
    }
    const first = /DTSTART:(\w+)/.exec(file)?.[1]
    const dates = new URL(calendarLinks(event, 'https://beaconry.example').google).searchParams.get('dates')
    expect(dates?.split('/')[0]).toBe(first)
  })
})
