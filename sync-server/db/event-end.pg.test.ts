import { expect, it } from 'vitest'
import { endOf, instantOf } from '#shared/time/event-time.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { endsAt } from './event-end.ts'

const { db } = await setTestDatabase()

const two = (value: number) => String(value).padStart(2, '0')
const times = Array.from(
  { length: 24 * 4 },
  (_, quarter) => `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`,
)

it.each([
  ['America/Chicago', '2027-03-14', '2026-11-01'],
  ['America/New_York', '2026-03-08', '2027-11-07'],
  ['Pacific/Honolulu', '2027-03-14', '2026-11-01'],
  ['Pacific/Guam', '2027-03-14', '2026-11-01'],
  ['Europe/London', '2027-03-28', '2026-10-25'],
  ['America/Havana', '2027-03-14', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04', '2027-04-04'],
])('the database and devices read the clocks of %s alike where they change', async (timeZone, spring, autumn) => {
  const clocks = [spring, autumn].flatMap((date) => times.map((time) => `${date} ${time}`))
  const { rows } = await db.raw<{ rows: { clock: string; instant: Date }[] }>(
    'select clock, clock::timestamp at time zone ? as instant from unnest(?::text[]) as given (clock)',
    [timeZone, clocks as never],
  )
  const read = (clock: string) => instantOf(clock.slice(0, 10), clock.slice(11), timeZone)
  expect(rows).toEqual(clocks.map((clock) => ({ clock, instant: read(clock) })))
})

it.each([
  ['2026-10-31', '20:00', '01:30'],
  ['2027-03-13', '20:00', '02:00'],
  ['2027-03-14', '01:45', '02:15'],
  ['2027-03-14', null, null],
  ['2026-11-01', '00:30', '01:30'],
])('an event on %s from %s to %s ends at one moment for both', async (date, startTime, endTime) => {
  const event = { startDate: date, endDate: date, startTime, endTime, timeZone: 'America/Chicago' }
  const { rows } = await db.raw<{ rows: { end: Date }[] }>(
    `select ${endsAt} as "end" from (select ?::date as start_date, ?::date as end_date, ?::time as start_time,
       ?::time as end_time, ?::text as time_zone) as e`,
    [date, date, startTime, endTime, event.timeZone] as never[],
  )
  expect(rows).toEqual([{ end: endOf(event) }])
})
