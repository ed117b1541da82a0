import { expect, it } from 'vitest'
import { changeInWords } from './when-and-where.ts'

const event = {
  startDate: '2027-05-04',
  endDate: '2027-05-04',
  startTime: '18:00',
  endTime: '21:00',
  timeZone: 'America/Chicago',
  location: 'Pier Hall',
  address: '1 Pier Street',
  city: 'Chicago',
  state: 'Illinois',
  zipCode: '60601',
}

it.each([
  [{}, undefined],
  [{ startTime: '18:30' }, 'time'],
  [{ startDate: '2027-05-05', endDate: '2027-05-05', startTime: '17:00' }, 'date'],
  [{ location: 'Boat House' }, 'place'],
  [{ endTime: '22:00', address: '2 Pier Street' }, 'time and place'],
])('an edit of %j is news of: %s', (edit, words) => {
  expect(changeInWords(event, { ...event, ...edit })).toBe(words)
})
