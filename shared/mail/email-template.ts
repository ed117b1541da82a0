import { formatEventDate, type EventWhen } from '../time/date-range.ts'
import { cutLetter, encodedBytes, largestMailBytes, letterBytes } from './mail-size.ts'
import { wordsInMail, type OrganizerWords } from './organizer-words.ts'

/** The six places a template may name (specification, section 2). */
export const placeholders = [
  'Beacon Name',
  'Event Name',
  'Event Date',
  'Event Location',
  'Custom Instructions',
  'Promo Code',
] as const
export type Placeholder = (typeof placeholders)[number]
export type PlaceholderValues = Readonly<Record<Placeholder, string>>

export const defaultSubject = "You're a Beacon for [Event Name]!"

export const defaultBody = `Hi [Beacon Name],

Great news: you have been approved as a Beacon for [Event Name].

When: [Event Date]
Where: [Event Location]

[Custom Instructions]

Your promo code: [Promo Code]

Thank you for helping people connect. See you there!`

const longestName = 80
const bracketed = /\[([^[\]\r\n]{1,60})\]/g
const lineBreaks = /\r\n?/g
// Everything a mail header or a terminal could take for a command, tab and newline aside.
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name)

/** The `[Something]` in a text that no value exists for: shown as a warning when a template is saved. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(bracketed)].map((match) => match[1] ?? '')
  return [...new Set(names.filter((name) => !isPlaceholder(name)))]
}

/**
 * Fills the six placeholders in one pass, so that a value which looks like a placeholder or like `$&` stays text.
 * Anything else in brackets stays as it is. A line that holds nothing but empty placeholders, or a label
 * with a colon before them, is dropped, together with the blank line after it where it stood between two.
 */
export function fillTemplate(template: string, values: PlaceholderValues): string {
  const filled: string[] = []
  let afterDropped = false
  for (const line of template.replace(lineBreaks, '\n').split('\n')) {
    if (holdsOnlyEmptyPlaceholders(line, values)) {
      afterDropped = true
      continue
    }
    const doublesBlank = afterDropped && line.trim() === '' && (filled.at(-1) ?? '').trim() === ''
    afterDropped = false
    if (doublesBlank) continue
    filled.push(line.replace(bracketed, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole)))
  }
  return filled.join('\n')
}

function holdsOnlyEmptyPlaceholders(line: string, values: PlaceholderValues): boolean {
  const names = [...line.matchAll(bracketed)].map((match) => match[1] ?? '')
  if (names.length === 0 || !/^(?:[^:]*:)?$/.test(line.replace(bracketed, '').trim())) return false
  return names.every((name) => isPlaceholder(name) && values[name].trim() === '')
}

function oneLine(text: string, maximum: number): string {
  const flat = text
    .replace(lineBreaks, ' ')
    .replace(/[\n\t]/g, ' ')
    .replace(controls, '')
    .trim()
  return [...flat].slice(0, maximum).join('')
}

const manyLines = (text: string) => text.replace(lineBreaks, '\n').replace(controls, '').trim()

/** What the placeholders of one application stand for; names are kept to one line of at most 80 characters. */
export function placeholderValues(given: {
  readonly firstName: string
  readonly lastName: string
  readonly eventName: string
  /** As `formatEventDate` writes it. */
  readonly eventDate: string
  readonly eventLocation: string
  readonly beaconInstructions: string | null
  readonly promoCode: string | null
}): PlaceholderValues {
  return {
    'Beacon Name': oneLine(`${given.firstName} ${given.lastName}`, longestName),
    'Event Name': oneLine(given.eventName, 160),
    'Event Date': oneLine(given.eventDate, 200),
    'Event Location': oneLine(given.eventLocation, 600),
    'Custom Instructions': manyLines(given.beaconInstructions ?? ''),
    'Promo Code': oneLine(given.promoCode ?? '', longestName),
  }
}

export interface ApprovedPerson {
  readonly firstName: string
  readonly lastName: string
}

/** The parts of an event a template may name. */
type TemplateEvent = EventWhen &
  Pick<OrganizerWords, 'name' | 'location' | 'address' | 'city' | 'beaconInstructions' | 'promoCode'>

/** What the placeholders stand for in the mail to a person who is approved for an event. */
export function approvalValues(person: ApprovedPerson, event: TemplateEvent): PlaceholderValues {
  return placeholderValues({
    firstName: person.firstName,
    lastName: person.lastName,
    eventName: event.name,
    eventDate: formatEventDate(event),
    eventLocation: [event.location, event.address, event.city].filter(Boolean).join(', '),
    beaconInstructions: event.beaconInstructions?.trim() || null,
    promoCode: event.promoCode?.trim() || null,
  })
}

// What a mail is made of besides its letter: headers, the frame of the HTML part, the link to the applicant's own page, the
// calendar file with the beginning of the event's description.
const frameBytes = 8_000
const smallestLetterBytes = 1_500

/** Bytes left for the letter of a mail whose subject and event stand in its frame, in both parts and the calendar file. */
function roomForLetter(subject: string, values: PlaceholderValues): number {
  const inFrame =
    letterBytes(subject) +
    encodedBytes(subject) +
    letterBytes(values['Event Name']) +
    2 * encodedBytes(values['Event Name']) +
    encodedBytes(values['Event Location'])
  return Math.max(smallestLetterBytes, largestMailBytes - frameBytes - inFrame)
}

/**
 * The approval mail as text: the event's own template, or the default where it is blank. The subject is one line of at most
 * 200 characters; a letter that does not fit into one mail is cut and says so.
 */
export function renderApprovalMail(
  template: { readonly subject: string | null; readonly body: string | null },
  values: PlaceholderValues,
): { subject: string; text: string } {
  const given = template.subject?.trim() || defaultSubject
  const body = template.body?.trim() || defaultBody
  const subject = oneLine(fillTemplate(given, values), 200)
  return { subject, text: cutLetter(manyLines(fillTemplate(body, values)), roomForLetter(subject, values)) }
}

/**
 * The approval mail to a person. The phone's preview and the delivery both call this, so they agree to the byte.
 * @param organizerIsConfirmed whether the organizer has confirmed their own e-mail address: before that the default is sent
 */
export function approvalMail(
  person: ApprovedPerson,
  event: TemplateEvent & OrganizerWords,
  organizerIsConfirmed: boolean,
): { subject: string; text: string } {
  const told = wordsInMail(event, organizerIsConfirmed)
  return renderApprovalMail(
    { subject: told.customBeaconEmailSubject, body: told.customBeaconEmailBody },
    approvalValues(person, told),
  )
}
