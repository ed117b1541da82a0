import type { Knex } from 'knex'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import type { HandlerCall } from '../calls/handler.ts'
import { cancelMails, queueMails } from '../mail/mail-store.ts'
import { calendarEventOf, readsTheSame, whenAndWhereOf } from './mails/event-in-mail.ts'

/** Several edits cause one mail, once nothing has changed for this long (product decision). */
const quietMs = 300_000

/** `again`: offered again to a database that went back. */
type Caused = Pick<HandlerCall<'updateEvent'>, 'now' | 'again'>

type Applicant = Pick<ApplicationRow, 'id' | 'firstName' | 'lastName' | 'email' | 'status' | 'linkOpenedAt'>

const addressOf = ({ firstName, lastName, email: address }: Applicant) => ({
  name: `${firstName} ${lastName}`,
  address,
})

/**
 * To approved Beacons of a locked event, once per person and edition. A held mail about earlier edits gives way to this
 * one, which starts from what the person knows. None for an event that is over.
 */
export async function queueChangeMails(
  trx: Knex,
  before: EventRow,
  after: EventRow,
  { now, again }: Caused,
): Promise<void> {
  if (readsTheSame(before, after) || hasEnded(after, now)) return
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
 * Also stops all other mails about the locked event. Runs before the deletion; the mails carry a copy of the event.
 * None for an event that is over.
 */
export async function queueCancellationMails(trx: Knex, event: EventRow, { now, again }: Caused): Promise<void> {
  const stopped = await cancelMailsOf(trx, event.id)
  if (hasEnded(event, now)) return
  // Their decision mail was stopped: they still wait, or still count on the event.
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
        // The row is gone when the mail leaves, and the address may be a stranger's until a link in a mail was opened.
        to: applicant.linkOpenedAt === null ? { name: '', address: applicant.email } : addressOf(applicant),
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

/** Of some kinds or all; answers the cancelled ones. */
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
