import type { Knex } from 'knex'
import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import type { MailRow } from '../../db/rows/mail-rows.ts'
import { reasonInWords } from '../../mail/mail-reason.ts'

/** Which mails of an event are wanted. */
export interface MailSelection {
  readonly eventId: number
  readonly applicationId?: number | undefined
  /** Only those with a lower id. */
  readonly before?: number | undefined
  readonly limit: number
}

/** A page of the mails of an event, newest first. */
export async function listMails(
  db: Knex,
  { eventId, applicationId, before, limit }: MailSelection,
): Promise<MailRow[]> {
  return await db('mails')
    .where({ eventId })
    .modify((query) => {
      if (applicationId !== undefined) void query.where('applicationId', applicationId)
      if (before !== undefined) void query.where('id', '<', before)
    })
    .orderBy('id', 'desc')
    .limit(limit)
}

/** How many mails of an event, or of one application to it, there are in each state. */
export async function countMails(
  db: Knex,
  { eventId, applicationId }: Pick<MailSelection, 'eventId' | 'applicationId'>,
): Promise<MailLog['counts']> {
  const counted: { state: MailState; count: number }[] = await db('mails')
    .where({ eventId, ...(applicationId === undefined ? {} : { applicationId }) })
    .groupBy('state')
    .select('state', db.raw('count(*)::int as count'))
  const counts = { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 }
  for (const { state, count } of counted) counts[state] = count
  return counts
}

/** A mail with the organizer of its event; undefined for one that is about no event. */
export async function findEventMail(
  db: Knex,
  id: number,
): Promise<(MailRow & { readonly organizerId: number; readonly eventId: number }) | undefined> {
  return await db('mails')
    .join('events', 'events.id', 'mails.eventId')
    .where('mails.id', id)
    .first('mails.*', 'events.organizerId')
}

/** A mail as the organizer of its event sees it. */
export function presentMail(row: MailRow): EventMail {
  return {
    id: row.id,
    applicationId: row.applicationId,
    kind: row.kind,
    decision: row.kind === 'decision' ? decisionOf(row.payload) : null,
    recipient: row.toName || row.toAddress,
    subject: row.subject,
    state: row.state,
    sendAt: row.sendAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    reason: reasonInWords(row.lastError),
    createdAt: row.createdAt.toISOString(),
  }
}

function decisionOf({ knownStatus, toStatus }: MailRow['payload']): EventMail['decision'] {
  if (toStatus === 'approved') return 'approved'
  return knownStatus === 'approved' ? 'revoked' : 'rejected'
}
