import { formatTimes, zoneName } from '../time/date-range.ts'
import { fileNameOf } from '../text/file-name.ts'
import { instantOf, utcOffsetMinutes } from '../time/event-time.ts'

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

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * iCalendar (RFC 5545) with its own time zone. Without a start time the event fills its days; with a start and no end
 * it begins then, and several days last through the last one. The UID stays, so that a later file changes the entry.
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
    ...(event.startTime === null ? [] : timeZoneLines(event)),
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

function spanLines({ startDate, endDate, startTime, endTime, timeZone }: CalendarEvent): string[] {
  if (startTime === null) {
    return [`DTSTART;VALUE=DATE:${compactDate(startDate)}`, `DTEND;VALUE=DATE:${compactDate(dayAfter(endDate))}`]
  }
  const local = (date: string, time: string) => `TZID=${timeZone}:${compactDate(date)}T${time.replace(':', '')}00`
  const start = `DTSTART;${local(startDate, startTime)}`
  if (endTime !== null) return [start, `DTEND;${local(endDate, endTime)}`]
  return startDate === endDate ? [start] : [start, `DTEND;${local(dayAfter(endDate), '00:00')}`]
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

/** Every clock change from a year before to a year after, so that no calendar needs to know the zone. */
function timeZoneLines({ startDate, endDate, timeZone }: CalendarEvent): string[] {
  const from = Date.parse(`${startDate}T00:00:00Z`) - 400 * DAY_MS
  const until = Date.parse(`${endDate}T00:00:00Z`) + 400 * DAY_MS
  const changes = clockChanges(timeZone, from, until)
  const standard = standardOffset(timeZone, startDate)
  const observed = changes.map(({ at, before, after }) =>
    observance(timeZone, {
      kind: after > standard ? 'DAYLIGHT' : 'STANDARD',
      // In the local time in use until then (RFC 5545, section 3.6.5).
      since: compact(new Date(at + before * MINUTE_MS).toISOString()).slice(0, 15),
      before,
      after,
      at,
    }),
  )
  const steady = { kind: 'STANDARD', since: '19700101T000000', before: standard, after: standard, at: from } as const
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...(observed.length > 0 ? observed.flat() : observance(timeZone, steady)),
    'END:VTIMEZONE',
  ]
}

interface Observance {
  readonly kind: 'STANDARD' | 'DAYLIGHT'
  readonly since: string
  /** Minutes east of Greenwich, as all offsets here. */
  readonly before: number
  readonly after: number
  /** From this instant on, in milliseconds. */
  readonly at: number
}

function observance(timeZone: string, { kind, since, before, after, at }: Observance): string[] {
  const noonAfter = new Date(at + after * MINUTE_MS + DAY_MS).toISOString()
  return [
    `BEGIN:${kind}`,
    `DTSTART:${since}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `TZNAME:${zoneName(timeZone, noonAfter.slice(0, 10), '12:00')}`,
    `END:${kind}`,
  ]
}

/** To the minute. */
function clockChanges(timeZone: string, from: number, until: number): { at: number; before: number; after: number }[] {
  const offsetAt = (instant: number) => utcOffsetMinutes(timeZone, new Date(instant))
  const changes: { at: number; before: number; after: number }[] = []
  // No zone changes its clocks twice within two weeks.
  const step = 14 * DAY_MS
  for (let start = from; start < until; start += step) {
    const before = offsetAt(start)
    const after = offsetAt(start + step)
    if (before === after) continue
    let low = start
    let high = start + step
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    changes.push({ at: high, before, after })
  }
  return changes
}

/** Standard time has the smaller offset of winter and summer. */
function standardOffset(timeZone: string, date: string): number {
  const year = date.slice(0, 4)
  return Math.min(
    utcOffsetMinutes(timeZone, new Date(`${year}-01-01T12:00:00Z`)),
    utcOffsetMinutes(timeZone, new Date(`${year}-07-01T12:00:00Z`)),
  )
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`
}

const compactDate = (date: string) => date.replaceAll('-', '')

/** '2026-03-01T18:30:00.000Z' → '20260301T183000Z' */
const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

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
    const size = utf8Length(character)
    if (bytes + size > longestLineBytes) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
