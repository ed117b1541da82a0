import { formatTimes } from '../time/date-range.ts'
import { fileNameOf } from '../text/file-name.ts'
import { utf8Bytes } from '../text/plain-text.ts'
import { dayAfter, instantOf } from '../time/event-time.ts'

/** Public parts of an event only. */
export interface CalendarEvent {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly startDate: string
  readonly endDate: string
  readonly startTime: string | null
  readonly endTime: string | null
  readonly timeZone: string
  readonly location: string
  readonly address: string
  readonly city: string | null
  readonly state: string | null
  readonly zipCode: string | null
}

/** For calendars that hold the event already (RFC 5546). */
export interface CalendarNews {
  /** Counts edits: a calendar takes the higher for the newer. */
  readonly sequence?: number
  /** `PUBLISH` updates the entry, `CANCEL` says that the event is cancelled. */
  readonly method?: 'PUBLISH' | 'CANCEL'
}

/**
 * iCalendar (RFC 5545). Without a start time the event fills its days; with a start and no end it begins then, and
 * several days last through the last one. The UID stays, so that a later file changes the entry.
 * @param origin of the site, for the event's address and UID
 * @param stampedAt when these facts were last known
 */
export function calendarFile(
  event: CalendarEvent,
  origin: string,
  stampedAt: Date,
  { sequence, method }: CalendarNews = {},
): string {
  const address = `${origin}/events/${event.id}`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Beaconry//Events//EN',
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    'BEGIN:VEVENT',
    `UID:event-${event.id}@${new URL(origin).hostname}`,
    `DTSTAMP:${compact(stampedAt.toISOString())}`,
    ...(sequence === undefined ? [] : [`SEQUENCE:${sequence}`]),
    ...spanLines(event),
    `SUMMARY:${escapeText(event.name)}`,
    `LOCATION:${escapeText(placeText(event))}`,
    `DESCRIPTION:${escapeText(descriptionOf(event, address))}`,
    `URL:${address}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** Valid on every system: 'founders-funders-night.ics'. */
export function calendarFileName(event: Pick<CalendarEvent, 'id' | 'name'>): string {
  return `${fileNameOf(event.name) || `event-${event.id}`}.ics`
}

export function calendarLinks(
  event: CalendarEvent,
  origin: string,
): Readonly<Record<'google' | 'outlook' | 'outlookAtWork', string>> {
  const address = `${origin}/events/${event.id}`
  const compose = (host: string) => linkTo(`https://${host}/calendar/0/deeplink/compose`, outlookFields(event, address))
  return {
    google: linkTo('https://calendar.google.com/calendar/render', googleFields(event, address)),
    outlook: compose('outlook.live.com'),
    outlookAtWork: compose('outlook.office.com'),
  }
}

/** Outlook shows a plus as a plus. */
const linkTo = (base: string, fields: Record<string, string>) =>
  `${base}?${new URLSearchParams(fields).toString().replaceAll('+', '%20')}`

const isoMinute = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`

/** Both services want an end: without one it is the start. */
function spanOf({ startDate, endDate, startTime, endTime, timeZone }: CalendarEvent): { start: string; end: string } {
  if (startTime === null) return { start: startDate, end: dayAfter(endDate) }
  const instant = (date: string, time: string) => isoMinute(instantOf(date, time, timeZone))
  const start = instant(startDate, startTime)
  if (endTime !== null) return { start, end: instant(endDate, endTime) }
  return { start, end: startDate === endDate ? start : instant(dayAfter(endDate), '00:00') }
}

function googleFields(event: CalendarEvent, address: string): Record<string, string> {
  const { start, end } = spanOf(event)
  return {
    action: 'TEMPLATE',
    text: event.name,
    dates: [start, end].map(compact).join('/'),
    location: placeText(event),
    details: descriptionOf({ ...event, description: beginning(event.description) }, address),
  }
}

/** Outlook reads the body as HTML, so the page says the rest. */
function outlookFields(event: CalendarEvent, address: string): Record<string, string> {
  const { start, end } = spanOf(event)
  return {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.name,
    startdt: start,
    enddt: end,
    ...(event.startTime === null ? { allday: 'true' } : {}),
    location: placeText(event),
    body: descriptionOf({ ...event, description: '' }, address),
  }
}

const longestInLink = 500

function beginning(text: string): string {
  const characters = [...text]
  return characters.length <= longestInLink
    ? text
    : `${characters
        .slice(0, longestInLink - 1)
        .join('')
        .trimEnd()}…`
}

/** Times are instants, which no calendar needs the zone for. */
function spanLines(event: CalendarEvent): string[] {
  const { start, end } = spanOf(event)
  if (event.startTime === null) return [`DTSTART;VALUE=DATE:${compact(start)}`, `DTEND;VALUE=DATE:${compact(end)}`]
  return [`DTSTART:${compact(start)}`, ...(end === start ? [] : [`DTEND:${compact(end)}`])]
}

/** 'theMART, 222 W Merchandise Mart Plaza, Chicago, Illinois 60654'. */
export function placeText({
  location,
  address,
  city,
  state,
  zipCode,
}: Pick<CalendarEvent, 'location' | 'address' | 'city' | 'state' | 'zipCode'>): string {
  const stateAndZip = [state, zipCode].filter(Boolean).join(' ')
  return [location, address, city, stateAndZip].filter(Boolean).join(', ')
}

function descriptionOf(event: CalendarEvent, address: string): string {
  // iCalendar cannot express an end without a start.
  const times = event.startTime === null ? formatTimes(event) : null
  return [times, event.description, address].filter(Boolean).join('\n\n')
}

/** '2026-03-01T18:30:00.000Z' → '20260301T183000Z' */
const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')

/** RFC 5545, section 3.3.11; other control characters are not allowed. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u2028\u2029]/gu, '')
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n')
}

const longestLineBytes = 75

/** At most 75 bytes, never cut inside a character (RFC 5545, section 3.1). */
function foldLine(line: string): string {
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = utf8Bytes(character)
    if (bytes + size > longestLineBytes) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}
