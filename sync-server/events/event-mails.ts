import type { Knex } from 'knex'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import type { HandlerCall } from '../calls/handler.ts'
import { cancelMails, queueMails } from '../mail/mail-store.ts'
import { isOver } from './event-store.ts'
import { calendarEventOf, readsTheSame, whenAndWhereOf } from './mails/event-in-mail.ts'

/** An organizer who edits in several steps causes one mail: it waits until nothing has changed for this long (product decision). */
const quietMs = 300_000

/** The call that causes mails: when, and whether a database that went back is offered it again. */
type Caused = Pick<HandlerCall<'updateEvent'>, 'now' | 'again'>

type Applicant = Pick<ApplicationRow, 'id' | 'firstName' | 'lastName' | 'email' | 'status' | 'linkOpenedAt'>

const addressOf = ({ firstName, lastName, email: address }: Applicant) => ({
  name: `${firstName} ${lastName}`,
  address,
})

/**
 * Tells the approved Beacons of a locked event that its date, time or venue is another one, once per person and edition.
 * Mails about earlier edits that are still held give way to this one, which starts from what those would have started
 * from: what the person knows. No mail is queued for an event that is over.
 */
export async function queueChangeMails(
  trx: Knex,
  before: EventRow,
  after: EventRow,
  { now, again }: Caused,
): Promise<void> {
  if (readsTheSame(before, after) || isOver(after, now)) return
  const unheard = new Map(
    (await cancelMailsOf(trx, after.id, ['event-changed'])).map((mail) => [mail.applicationId, mail.payload['known']]),
  )
  const approved = await listApplicants(trx, after.id, ['approved'])
  await queueMails(
    trx,
    approved.map((applicant) => ({
      kind: 'event-changed',
      key: `event-changed:${applicant.id}:${after.edition}`,
      to: addressOf(applicant),
      eventId: after.id,
      applicationId: applicant.id,
      payload: { known: unheard.get(applicant.id) ?? whenAndWhereOf(before) },
      sendAt: new Date(now.getTime() + quietMs),
      mayHaveLeft: again,
    })),
  )
}

/**
 * Tells everyone who still counts on a locked event that it will not take place, and stops all other mails about it.
 * To be called before it is deleted; the mails carry their own copy of it. None is queued for an event that is over.
 */
export async function queueCancellationMails(trx: Knex, event: EventRow, { now, again }: Caused): Promise<void> {
  const stopped = await cancelMailsOf(trx, event.id)
  if (isOver(event, now)) return
  // Applicants whose decision mail was stopped have not heard of it: they still wait, or still count on it.
  const unheard = new Map(
    stopped
      .filter(({ kind, payload }) => kind === 'decision' && typeof payload['knownStatus'] === 'string')
      .map(({ applicationId, payload }) => [applicationId, payload['knownStatus'] as string]),
  )
  const applicants = await listApplicants(trx, event.id, ['approved', 'pending', 'rejected'])
  await queueMails(
    trx,
    applicants.flatMap((applicant) => {
      const known = unheard.get(applicant.id) ?? applicant.status
      if (known === 'rejected') return []
      return {
        kind: 'event-cancelled',
        key: `event-cancelled:${applicant.id}`,
        organizerId: event.organizerId,
        // Nothing is left to ask when it leaves: who has not opened the link in a mail may have typed a stranger's address.
        to: applicant.linkOpenedAt === null ? { name: '', address: applicant.email } : addressOf(applicant),
        // What it was to be like is of no use any more.
        payload: { event: { ...calendarEventOf(event), description: '' }, edition: event.edition, knownStatus: known },
        mayHaveLeft: again,
      }
    }),
  )
}

async function listApplicants(
  trx: Knex,
  eventId: number,
  statuses: readonly ApplicationRow['status'][],
): Promise<Applicant[]> {
  return await trx('applications')
    .where({ eventId, withdrawnAt: null })
    .whereIn('status', statuses)
    .orderBy('id')
    .select('id', 'firstName', 'lastName', 'email', 'status', 'linkOpenedAt')
}

interface StoppedMail {
  readonly kind: MailKind
  readonly applicationId: number | null
  readonly payload: MailRow['payload']
}

/** Cancels an event's mails that have not been begun, of some kinds or all; answers which they were. */
async function cancelMailsOf(trx: Knex, eventId: number, kinds?: readonly MailKind[]): Promise<StoppedMail[]> {
  const open: Pick<MailRow, 'key' | 'kind' | 'applicationId'>[] = await trx('mails')
    .where({ eventId })
    .whereIn('state', ['held', 'queued'] satisfies MailState[])
    .modify((query) => void (kinds && query.whereIn('kind', kinds)))
    .select('key', 'kind', 'applicationId')
  const cancelled = await cancelMails(
    trx,
    open.map(({ key }) => key),
  )
  return open.flatMap(({ key, kind, applicationId }) => {
    const payload = cancelled.get(key)
    return payload === undefined ? [] : { kind, applicationId, payload }
  })
}
