import type { Knex } from 'knex'
import type { CalendarEvent } from '#shared/events/calendar.ts'
import { approvalMail } from '#shared/mail/email-template.ts'
import type { OrganizerWords } from '#shared/mail/organizer-words.ts'
import { whenAndWhereOf, calendarAttachment, eventInMail } from '../../events/mails/event-in-mail.ts'
import { ownPagePath } from '../application-token.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import type { MailRow } from '../../db/rows/message-rows.ts'
import { applicationOfMail, noteTold } from './application-of-mail.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'
import type { MailContent } from '../../mail/mail-content.ts'

export interface ApprovalEvent extends CalendarEvent, OrganizerWords {
  readonly edition: number
  readonly updatedAt: Date
}

/**
 * Fills the event's template or the default, and adds a calendar entry.
 * @param beaconName empty where it is not known that the applicant reads the mailbox
 * @param event as stored: this function decides what may be said
 */
export function approvalLetter(
  beaconName: string,
  event: ApprovalEvent,
  organizerIsConfirmed: boolean,
  publicOrigin: string,
): Pick<MailContent, 'subject' | 'text'> & Required<Pick<MailContent, 'attachments'>> {
  const entry = eventInMail(event, organizerIsConfirmed)
  return {
    ...approvalMail(beaconName, event, organizerIsConfirmed),
    attachments: [
      calendarAttachment(entry, publicOrigin, event.updatedAt, { sequence: event.edition, method: 'PUBLISH' }),
    ],
  }
}

/**
 * There is no news after a withdrawal or a later decision, of what the applicant knows, or while the event is
 * cancelled.
 */
export const writeDecision: MailRenderer = async (db, mail, { publicOrigin, greetedAs }) => {
  const found = await applicationOfMail(db, mail)
  const { decisionNumber, toStatus } = decisionIn(mail)
  if (!found || found.application.withdrawnAt !== null) return undefined
  const { application, event, storedEvent, organizerIsConfirmed } = found
  if (event.cancelledAt !== null) return undefined
  if (application.decisionNumber !== decisionNumber) return undefined
  const known = await statusKnown(db, mail)
  if (known === toStatus) return undefined

  const action = { label: 'Open Your Own Page', path: await ownPagePath(db, application) }
  const reason = `You get this because you applied to be a Beacon for ${event.name}.`
  if (toStatus === 'approved') {
    await noteTold(db, mail, { told: whenAndWhereOf(storedEvent) })
    const letter = approvalLetter(greetedAs, storedEvent, organizerIsConfirmed, publicOrigin)
    return { ...letter, action, reason }
  }
  return { ...(known === 'approved' ? withdrawn(greetedAs, event) : declined(greetedAs, event)), action, reason }
}

const declined = (name: string, event: EventRow) => ({
  subject: `Your application for ${event.name}`,
  heading: 'Not this time',
  text: `${greeting(name)}\n\nThank you for offering to be a Beacon for ${event.name}, and for the time you took to apply. The organizer has looked at the applications and cannot offer you a place as a Beacon this time.\n\nThat is about this event alone. We would be glad to see you apply for another one.`,
})

const withdrawn = (name: string, event: EventRow) => ({
  subject: `Your approval for ${event.name} was withdrawn`,
  heading: 'Your approval was withdrawn',
  text: `${greeting(name)}\n\nThe organizer of ${event.name} has withdrawn your approval. You are no longer expected as a Beacon there, and your name is off the event page.\n\nWe are sorry about the change of plans, and thank you for having been ready to help people meet. You may want to take the event out of your calendar.`,
})

function decisionIn({ payload }: Pick<MailRow, 'payload'>) {
  const { decisionNumber, knownStatus, toStatus } = payload
  return { decisionNumber: Number(decisionNumber), knownStatus: String(knownStatus), toStatus: String(toStatus) }
}

/**
 * Tells what the applicant knows before this mail. An earlier mail under way at queueing may have been refused since,
 * and was never heard.
 */
async function statusKnown(db: Knex, mail: MailRow): Promise<string> {
  const mails = await db('mails')
    .where({ applicationId: mail.applicationId, kind: 'decision' })
    .where('id', '<=', mail.id)
    .orderBy('id')
    .select('id', 'payload', 'state', 'handedOverAt')
  const after = new Map<number, string>()
  let known = ''
  for (const { payload, state, handedOverAt } of mails) {
    const { decisionNumber, knownStatus, toStatus } = decisionIn({ payload })
    known = after.get(decisionNumber - 1) ?? knownStatus
    after.set(decisionNumber, state === 'sent' || handedOverAt !== null ? toStatus : known)
  }
  return known
}
