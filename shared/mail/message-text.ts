import { tooManyPlaceholders } from '../events/template-placeholders.ts'
import { withoutContacts } from '../text/outgoing-name.ts'
import { manyLines } from '../text/plain-text.ts'
import type { EventDays } from '../time/event-time.ts'
import { approvalValues, fillTemplate } from './email-template.ts'
import { wordsInMail, type OrganizerWords } from './organizer-words.ts'

/** Returns undefined for a text that may be sent. */
export const messageComplaint = tooManyPlaceholders

/**
 * What a Beacon reads in the mail and on their own page; the same function makes the preview.
 * @param beaconName empty where it is not known that the applicant reads the mailbox
 * @param organizerIsConfirmed else the text loses its links, addresses and telephone numbers, because whoever applies in
 *   another person's name could write to them
 */
export function messageText(
  text: string,
  beaconName: string,
  event: EventDays & OrganizerWords,
  organizerIsConfirmed: boolean,
): string {
  const values = approvalValues(beaconName, wordsInMail(event, organizerIsConfirmed))
  const lines = manyLines(text).split('\n')
  const own = organizerIsConfirmed ? lines : lines.map(withoutContacts)
  return manyLines(fillTemplate(own.join('\n'), values))
}
