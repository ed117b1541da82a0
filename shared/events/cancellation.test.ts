import { describe, expect, it } from 'vitest'
import { calendarFile } from './calendar.ts'
import { closedMessageOf, judgeCancellation, judgeTakingBack, takeBackMs } from './cancellation.ts'

const day = { startDate: '2027-05-09', endDate: '2027-05-09', startTime: '18:00', endTime: '21:00' }
const event = { ...day, timeZone: 'America/Chicago', cancelledAt: null }
const before = new Date('2027-05-01T12:00:00Z')
const during = new Date('2027-05-10T00:00:00Z')
const afterwards = new Date('2027-05-10T02:00:00Z')

describe('a cancellation', () => {
  it('is possible until the event is over, and once', () => {
    expect(judgeCancellation(event, before)).toBe('change')
    expect(judgeCancellation(event, during)).toBe('change')
    expect(judgeCancellation(event, afterwards)).toMatchObject({ refused: 'not_allowed_now' })
    expect(judgeCancellation({ ...event, cancelledAt: before }, during)).toBe('already')
  })

  it('is taken back for exactly a day', () => {
    const later = (ms: number) => new Date(before.getTime() + ms)
    expect(judgeTakingBack(before, later(takeBackMs))).toBe('change')
    expect(judgeTakingBack(before, later(takeBackMs + 1))).toMatchObject({ refused: 'not_allowed_now' })
    expect(judgeTakingBack(null, later(takeBackMs + 1))).toBe('already')
  })

  it('is why nobody can apply', () => {
    expect(closedMessageOf({})).toBe('Applications for this event are closed.')
    expect(closedMessageOf({ cancelledAt: before.toISOString() })).toBe('This event is cancelled.')
  })

  it('stands in the calendar file of its page', () => {
    const place = { location: 'Pier 9', address: '1 Harbor Way', city: null, state: null, zipCode: null }
    const text = (cancelledAt: string | null) =>
      calendarFile(
        { ...event, ...place, id: 7, name: 'Mixer', description: '', cancelledAt },
        'https://b.example',
        before,
      )
    expect(text(null)).toContain('STATUS:CONFIRMED')
    expect(text(before.toISOString())).toContain('STATUS:CANCELLED')
  })
})
