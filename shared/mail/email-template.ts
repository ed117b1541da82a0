import { bracketed, isPlaceholder, type Placeholder } from '#shared/events/template-placeholders.ts'
import { outgoingName } from '../text/outgoing-name.ts'
import { manyLines, oneLine } from '../text/plain-text.ts'
import { formatEventDate } from '../time/date-range.ts'
import type { EventDays } from '../time/event-time.ts'
import { cutLetter, encodedBytes, largestMailBytes, letterBytes } from './mail-size.ts'
import { wordsInMail, type OrganizerWords } from './organizer-words.ts'

export type PlaceholderValues = Readonly<Record<Placeholder, string>>

export const defaultSubject = "You're a Beacon for [Event Name]!"

export const defaultBody = `Hi [Beacon Name],

Great news: you have been approved as a Beacon for [Event Name].

When: [Event Date]
Where: [Event Location]

[Custom Instructions]

Your promo code: [Promo Code]

Thank you for helping people connect. See you there!`

/** A reader who may not be the applicant sees this name. */
const unnamedBeacon = 'Beacon'
const lineBreaks = /\r\n?/g

/** `[Something]` without a value: a template's saving warns of it. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(bracketed)].map((match) => match[1] ?? '')
  return [...new Set(names.filter((name) => !isPlaceholder(name)))]
}

/**
 * Makes one pass, so that a value like a placeholder or `$&` stays text. Other brackets stay. A line of nothing but
 * empty placeholders, or a label before them, goes with one blank line next to it.
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

type TemplateEvent = EventDays &
  Pick<OrganizerWords, 'name' | 'location' | 'address' | 'city' | 'beaconInstructions' | 'promoCode'>

/**
 * Writes names as they may leave (`outgoingName`).
 * @param beaconName empty where the mail may not say it
 */
export function approvalValues(beaconName: string, event: TemplateEvent): PlaceholderValues {
  return {
    'Beacon Name': outgoingName(beaconName) || unnamedBeacon,
    'Event Name': outgoingName(event.name),
    'Event Date': oneLine(formatEventDate(event), 200),
    'Event Location': oneLine([event.location, event.address, event.city].filter(Boolean).join(', '), 600),
    'Custom Instructions': manyLines(event.beaconInstructions ?? ''),
    'Promo Code': oneLine(event.promoCode ?? '', 80),
  }
}

// Headers, the HTML's frame, the link to the applicant's own page and the calendar file take this much.
const frameBytes = 8_000
const smallestLetterBytes = 1_500

/** Counts the bytes that subject and event in the frame, both parts and the calendar file leave for the letter. */
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
 * Fills the event's template, or the default for a blank one. The subject is one line of at most 200 characters; a
 * letter too long for one mail is cut and says so.
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
 * Preview and delivery share it, so that they agree to the byte.
 * @param beaconName empty where it is not known that the applicant reads the mailbox
 * @param organizerIsConfirmed the organizer's own email address; else the default is sent
 */
export function approvalMail(
  beaconName: string,
  event: TemplateEvent & OrganizerWords,
  organizerIsConfirmed: boolean,
): { subject: string; text: string } {
  const told = wordsInMail(event, organizerIsConfirmed)
  return renderApprovalMail(
    { subject: told.customBeaconEmailSubject, body: told.customBeaconEmailBody },
    approvalValues(beaconName, told),
  )
}
