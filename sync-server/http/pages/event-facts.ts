import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { instantOf, utcOffsetMinutes } from '#shared/time/event-time.ts'

const longestDescription = 200

/** When and where, then how the event describes itself, in a length that previews show whole. */
export function eventSummary(event: PublicEvent): string {
  const place = [event.location, event.city, event.state].filter(Boolean).join(', ')
  const text = `${formatEventDate(event)}, ${place}. ${event.description}`.replace(/\s+/g, ' ').trim()
  if (text.length <= longestDescription) return text
  return `${text.slice(0, longestDescription).replace(/\s+\S*$/, '')} …`
}

/** An event in the words of schema.org, for search engines. */
export function eventFacts(event: PublicEvent, address: string, image: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    description: event.description,
    url: address,
    image,
    startDate: moment(event.startDate, event.startTime, event.timeZone),
    endDate: moment(event.endDate, event.endTime, event.timeZone),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.location,
      address: {
        '@type': 'PostalAddress',
        streetAddress: event.address,
        ...(event.city === null ? {} : { addressLocality: event.city }),
        ...(event.state === null ? {} : { addressRegion: event.state }),
        ...(event.zipCode === null ? {} : { postalCode: event.zipCode }),
        addressCountry: 'US',
      },
    },
    ...(event.registrationUrl === null ? {} : { offers: { '@type': 'Offer', url: event.registrationUrl } }),
  }
}

/** A day, or with its time an instant that names its distance from UTC: '2026-03-07T18:00:00-06:00'. */
function moment(date: string, time: string | null, timeZone: string): string {
  if (time === null) return date
  const offset = utcOffsetMinutes(timeZone, instantOf(date, time, timeZone))
  const size = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date}T${time}:00${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
