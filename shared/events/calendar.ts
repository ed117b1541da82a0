import { formatEventDate, formatTimes } from '../time/date-range.ts'
import { fileNameOf } from '../text/file-name.ts'
import { utf8Bytes } from '../text/plain-text.ts'
import { beginningsOf, dayAfter, instantOf, lastsPastMidnight, type EventDays } from '../time/event-time.ts'

/** Only public parts of an event are in it. */
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
  readonly cancelledAt?: string | Date | null | undefined
}

/** Calendars that hold the event already need these (RFC 5546). */
export interface CalendarNews {
  /** Counts edits: a calendar takes the higher for the newer. */
  readonly sequence?: number
  /** `PUBLISH` updates the entry, `CANCEL` says that the event is cancelled. */
  readonly method?: 'PUBLISH' | 'CANCEL'
  /** These days were told before. Entries that the event no longer has are cancelled. */
  readonly known?: EventDays | undefined
}

/**
 * Writes iCalendar (RFC 5545). Without a start time the event fills its days; several days with times are an entry
 * each. The UIDs stay, so that a later file changes the entries.
 * @param origin of the site, for the event's address and UID
 * @param stampedAt when these facts were last known
 */
export function calendarFile(
  event: CalendarEvent,
  origin: string,
  stampedAt: Date,
  { sequence, method, known }: CalendarNews = {},
): string {
  const address = `${origin}/events/${event.id}`
  const isCancelled = method === 'CANCEL' || Boolean(event.cancelledAt)
  const spans = spansOf(event)
  const gone = known === undefined ? [] : spansOf(known).slice(spans.length)
  const entries = [
    ...spans.map((span) => [isCancelled ? 'CANCELLED' : 'CONFIRMED', spanLines(event, span)] as const),
    ...gone.map((span) => ['CANCELLED', spanLines(known ?? event, span)] as const),
  ]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Beaconry//Events//EN',
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    ...entries.flatMap(([status, times], day) => [
      'BEGIN:VEVENT',
      `UID:event-${event.id}${day === 0 ? '' : `-day-${day + 1}`}@${new URL(origin).hostname}`,
      `DTSTAMP:${compact(stampedAt.toISOString())}`,
      ...(sequence === undefined ? [] : [`SEQUENCE:${sequence}`]),
      ...times,
      `SUMMARY:${escapeText(event.name)}`,
      `LOCATION:${escapeText(placeText(event))}`,
      `DESCRIPTION:${escapeText(descriptionOf(event, address))}`,
      `URL:${address}`,
      `STATUS:${status}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** The name is valid on every system: 'founders-funders-night.ics'. */
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

interface Span {
  readonly start: string
  readonly end: string
}

/** What a link repeats, or a file lists, at most. */
const maxDays = 60

/** An entry for each day; days without times are one. Where no end is known it is the start: both services want one. */
function spansOf(event: EventDays): [Span, ...Span[]] {
  const { startDate, endDate, startTime, endTime, timeZone } = event
  if (startTime === null) return [{ start: startDate, end: dayAfter(endDate) }]
  const { first, last } = beginningsOf(event)
  const isNight = lastsPastMidnight(event)
  const instant = (date: string, time: string) => isoMinute(instantOf(date, time, timeZone))
  const start = instant(startDate, startTime)
  if (endTime === null) return [{ start, end: startDate === endDate ? start : instant(dayAfter(endDate), '00:00') }]
  // It begins on the first day and ends on the last.
  if (endTime <= startTime && !isNight) return [{ start, end: instant(endDate, endTime) }]
  const spanOn = (date: string): Span => {
    const from = instant(date, startTime)
    const to = instant(isNight ? dayAfter(date) : date, endTime)
    // A start within the hour that spring skips may be later than an end after it.
    return { start: from, end: to > from ? to : from }
  }
  const spans: [Span, ...Span[]] = [spanOn(first)]
  for (let date = first; date < last && spans.length < maxDays;) {
    date = dayAfter(date)
    spans.push(spanOn(date))
  }
  return spans
}

function googleFields(event: CalendarEvent, address: string): Record<string, string> {
  const [{ start, end }, ...others] = spansOf(event)
  return {
    action: 'TEMPLATE',
    text: event.name,
    dates: [start, end].map(compact).join('/'),
    ...(others.length > 0 ? { recur: `RRULE:FREQ=DAILY;COUNT=${others.length + 1}`, ctz: event.timeZone } : {}),
    location: placeText(event),
    details: descriptionOf({ ...event, description: beginning(event.description) }, address),
  }
}

/** Outlook reads the body as HTML, so the page says the rest. Its links repeat nothing: the body names all days. */
function outlookFields(event: CalendarEvent, address: string): Record<string, string> {
  const [{ start, end }, ...others] = spansOf(event)
  const description = others.length > 0 ? formatEventDate(event) : ''
  return {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.name,
    startdt: start,
    enddt: end,
    ...(event.startTime === null ? { allday: 'true' } : {}),
    location: placeText(event),
    body: descriptionOf({ ...event, description }, address),
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
function spanLines(event: EventDays, { start, end }: Span): string[] {
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

/** A line has at most 75 bytes and is never cut inside a character (RFC 5545, section 3.1). */
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
