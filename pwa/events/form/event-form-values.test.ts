import { describe, expect, it } from 'vitest'
import { datedEventFields } from '#shared/events/event.ts'
import { emptyEventForm, eventFormValues, writtenDays } from './event-form-values.ts'

const filled = {
  ...emptyEventForm,
  name: ' Lanterns on the Pier ',
  description: 'Two hours of good talk.',
  startDate: '2031-05-09',
  endDate: '2031-05-09',
  location: 'Pier 27',
  address: 'The Embarcadero',
  beaconIncentives: 'Dinner',
}

/** What the form shows: the first message of each field. */
function messages(values: typeof filled): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const { path, message } of datedEventFields.safeParse(values).error?.issues ?? [])
    shown[path.join('.')] ??= message
  return shown
}

describe('the event form', () => {
  it('takes what is required and keeps nothing where nothing was typed', () => {
    const event = datedEventFields.parse(filled)
    expect(event).toMatchObject({
      name: 'Lanterns on the Pier',
      city: null,
      state: null,
      zipCode: null,
      startTime: null,
      maxBeacons: null,
    })
  })

  it.each([
    ['example.com/tickets', 'https://example.com/tickets'],
    [' HTTPS://Example.com ', 'https://example.com/'],
    ['example.com:8080/a', 'https://example.com:8080/a'],
    ['javascript:alert(1)', undefined],
    ['olivia@example.com', undefined],
    ['at the door', undefined],
  ])('takes %j for the web address %s', (typed, kept) => {
    expect(datedEventFields.safeParse({ ...filled, registrationUrl: typed }).data?.registrationUrl).toBe(kept)
  })

  it('names every required field of an empty form', () => {
    expect(messages({ ...emptyEventForm })).toEqual({
      name: 'Required',
      description: 'Required',
      location: 'Required',
      address: 'Required',
      beaconIncentives: 'Required',
      startDate: 'Start date is required',
      endDate: 'End date is required',
    })
  })

  it('refuses an end before the start, beside the end', () => {
    expect(messages({ ...filled, endDate: '2031-05-08' })).toEqual({
      endDate: 'The end date must not be before the start date',
    })
    expect(messages({ ...filled, startTime: '20:00', endTime: '01:00' }), 'the next day').toEqual({})
  })

  it('comes back from an event as it went in', () => {
    const event = datedEventFields.parse({
      ...filled,
      state: 'California',
      zipCode: '94111',
      startTime: '18:00',
      maxBeacons: 5,
    })
    expect(datedEventFields.parse(eventFormValues(event))).toEqual(event)
  })
})

it.each([
  ['2026-03-01', '2026-03-02', 'March 1–2, 2026'],
  ['2026-03-01', '', 'March 1, 2026'],
  ['2026-03-01', '2026-02-28', 'March 1, 2026'],
  ['', '2026-03-02', null],
  ['', '', null],
])('a draft with the days %j and %j says %j', (startDate, endDate, days) => {
  expect(writtenDays({ startDate, endDate })).toBe(days)
})
