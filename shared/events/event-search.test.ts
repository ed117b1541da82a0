import { expect, it } from 'vitest'
import { byStart } from './by-start.ts'
import { eventsWithin, milesTo, upcomingIn } from './event-search.ts'

const lake = { latitude: 41.89, longitude: -87.62 }
const place = (latitude: number | null, longitude: number | null) => ({ latitude, longitude })

it('a search by distance includes the same place, keeps the order and skips placeless events', () => {
  const events = [place(43.04, -87.91), place(null, null), place(41.89, -87.62), place(34.05, -118.24)]
  expect(eventsWithin(events, lake, 10)).toEqual([events[2]])
  expect(eventsWithin(events, lake, 100)).toEqual([events[0], events[2]])
  expect(events.map((event) => milesTo(event, lake)).map((miles) => miles && Math.round(miles))).toEqual([
    81,
    null,
    0,
    1743,
  ])
})

it('the list is ordered by first day, then by name without regard to case, then by number', () => {
  const events = [
    { id: 3, name: 'beta', startDate: '2026-03-01' },
    { id: 2, name: 'Alpha', startDate: '2026-03-01' },
    { id: 1, name: 'Zeta', startDate: '2026-02-28' },
    { id: 5, name: 'Beta', startDate: '2026-03-01' },
  ]
  expect(events.toSorted(byStart).map(({ id }) => id)).toEqual([1, 2, 3, 5])
})

it('accents and letters such as ł do not move an event of the same day in the list', () => {
  const events = ['Zebra', 'Élan', 'Łódź', 'Lantern'].map((name, id) => ({ id, name, startDate: '2026-03-01' }))
  expect(events.toSorted(byStart).map(({ name }) => name)).toEqual(['Élan', 'Lantern', 'Łódź', 'Zebra'])
})

// Whatever clock the phone runs on, an event is listed until its last day is over in its own place.
it.each([
  ['America/Chicago', '2026-03-02T05:59:59Z', 1],
  ['America/Chicago', '2026-03-02T06:00:00Z', 0],
  ['Pacific/Honolulu', '2026-03-02T09:59:59Z', 1],
  ['Pacific/Guam', '2026-03-01T14:00:00Z', 0],
])('an event of March 1 in %s is listed at %s: %i', (timeZone, instant, count) => {
  const days = { startDate: '2026-03-01', endDate: '2026-03-01', startTime: null, endTime: null }
  const events = [{ ...days, timeZone, state: null }]
  expect(upcomingIn(events, '', new Date(instant))).toHaveLength(count)
  expect(upcomingIn(events, 'Illinois', new Date(instant))).toEqual([])
})

it.each([
  ['18:00', '21:00', '2026-03-02T02:59:59Z', 1],
  ['18:00', '21:00', '2026-03-02T03:00:00Z', 0],
  ['20:00', '01:00', '2026-03-02T06:59:59Z', 1],
  ['20:00', '01:00', '2026-03-02T07:00:00Z', 0],
])('an evening in Chicago from %s to %s is listed at %s: %i', (startTime, endTime, instant, count) => {
  const days = { startDate: '2026-03-01', endDate: '2026-03-01', timeZone: 'America/Chicago' }
  expect(upcomingIn([{ ...days, startTime, endTime, state: null }], '', new Date(instant))).toHaveLength(count)
})
