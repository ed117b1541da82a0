import type { Knex } from 'knex'
import { changeInWords } from '#shared/events/when-and-where.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import type { HandlerCall } from '../calls/handler.ts'
import { cancelMails, queueMails, requeueCancelledMails } from '../mail/mail-store.ts'
import { calendarEventOf, whenAndWhereOf } from './mails/event-in-mail.ts'

/** Several edits cause one mail, once nothing has changed for this long (product decision). */
const quietMs = 300_000

/** `again` means that the change is offered again to a database that went back. */
type Caused = Pick<HandlerCall<'updateEvent'>, 'now' | 'again'>

type Applicant = Pick<ApplicationRow, 'id' | 'firstName' | 'lastName' | 'email' | 'status' | 'linkOpenedAt'>

const addressOf = ({ firstName, lastName, email: address }: Applicant) => ({
  name: `${firstName} ${lastName}`,
  address,
})

/**
 * Mails approved Beacons of a locked event, once per person and edition. A held mail about earlier edits gives way to
 * this one, which starts from what the person knows and carries its notes on. An event that is over sends none.
 * @param note what the organizer adds; undefined for nothing
 */
export async function queueChangeMails(
  trx: Knex,
  { before, after, note }: { readonly before: EventRow; readonly after: EventRow; readonly note?: string | undefined },
  { now, again }: Caused,
): Promise<void> {
  if (changeInWords(before, after) === undefined || hasEnded(after, now)) return
  const unheard = new Map(
    (await cancelMailsOf(trx, after.id, ['event-changed'])).map((mail) => [mail.applicationId, mail.payload]),
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
      payload: changePayload(before, unheard.get(applicant.id), note),
      sendAt: new Date(now.getTime() + quietMs),
      mayHaveLeft: again,
    })),
  )
}

/** @param unheard of a mail that gives way to this one */
function changePayload(before: EventRow, unheard: MailRow['payload'] = {}, note?: string): MailRow['payload'] {
  const notes = [unheard['note'], note].filter(Boolean).join('\n')
  return { known: unheard['known'] ?? whenAndWhereOf(before), ...(notes && { note: notes }) }
}

const cancellationKey = (applicationId: number, cancelledAt?: Date) =>
  ['event-cancelled', applicationId, ...(cancelledAt ? [cancelledAt.getTime()] : [])].join(':')

/** The organizer may think better of it before anyone knows. */
const secondThoughtMs = 60_000

/** What is no news about a cancelled event, and is news again when it takes place after all. */
const suspendedKinds: readonly MailKind[] = ['decision', 'event-changed', 'event-reinstated', 'reminder']

/**
 * Also stops other mails about the locked event, before a deletion all of them. The mails carry a copy of the event. An
 * event that is over sends none, and people who know of a cancellation already get none.
 * @param cancelledAt of an event that is not deleted
 */
export async function queueCancellationMails(
  trx: Knex,
  event: EventRow,
  { now, again, cancelledAt }: Caused & { readonly cancelledAt?: Date },
): Promise<void> {
  const stopped = await cancelMailsOf(trx, event.id, cancelledAt && suspendedKinds)
  if (hasEnded(event, now) || event.cancelledAt !== null) return
  const stillToldCancelled = new Set(
    stopped.filter(({ kind }) => kind === 'event-reinstated').map(({ applicationId }) => applicationId),
  )
  // Their decision mail was stopped: they still wait, or still count on the event.
  const unheard = new Map(
    stopped
      .filter(({ kind, payload }) => kind === 'decision' && typeof payload['knownStatus'] === 'string')
      .map(({ applicationId, payload }) => [applicationId, payload['knownStatus'] as string]),
  )
  // What their calendars hold is of before a change that they were not told of.
  const unheardChanges = new Map(
    stopped.filter(({ kind }) => kind === 'event-changed').map((mail) => [mail.applicationId, mail.payload['known']]),
  )
  const applicants = await listApplicants(trx, event.id, ['approved', 'pending', 'rejected'])
  await queueMails(
    trx,
    applicants.flatMap((applicant) => {
      const known = unheard.get(applicant.id) ?? applicant.status
      if (known === 'rejected' || stillToldCancelled.has(applicant.id)) return []
      return {
        kind: 'event-cancelled',
        key: cancellationKey(applicant.id, cancelledAt),
        organizerId: event.organizerId,
        // The row is gone when the mail leaves, and the address may be a stranger's until a link in a mail was opened.
        to: applicant.linkOpenedAt === null ? { name: '', address: applicant.email } : addressOf(applicant),
        payload: {
          event: { ...calendarEventOf(event), description: '' },
          edition: event.edition,
          knownStatus: known,
          known: unheardChanges.get(applicant.id),
        },
        ...(cancelledAt && { sendAt: new Date(now.getTime() + secondThoughtMs) }),
        mayHaveLeft: again,
      }
    }),
  )
}

/**
 * Takes back the mails about a cancellation that have not left, and tells everyone else once that the event takes
 * place. What was suspended is looked at again: the mails' writers know whether it is still news.
 */
export async function queueReinstatementMails(
  trx: Knex,
  { id: eventId }: Pick<EventRow, 'id'>,
  { now, again, cancelledAt }: Caused & { readonly cancelledAt: Date },
): Promise<void> {
  const ids: number[] = await trx('applications').where({ eventId }).pluck('id')
  const keys = ids.map((id) => cancellationKey(id, cancelledAt))
  await cancelMails(trx, keys)
  const heard = await trx('mails')
    .whereIn('key', keys)
    .where((left) => void left.whereIn('state', ['sending', 'sent']).orWhereNotNull('handedOverAt'))
    .select('key', 'payload')
  const known = new Map(heard.map(({ key, payload }) => [key, payload['knownStatus']]))
  const sendAt = new Date(now.getTime() + secondThoughtMs)
  const applicants = await listApplicants(trx, eventId, ['approved', 'pending'])
  await queueMails(
    trx,
    applicants.flatMap((applicant) => {
      const knownStatus = known.get(cancellationKey(applicant.id, cancelledAt))
      if (knownStatus === undefined) return []
      return {
        kind: 'event-reinstated',
        key: `event-reinstated:${applicant.id}:${cancelledAt.getTime()}`,
        to: addressOf(applicant),
        eventId,
        applicationId: applicant.id,
        payload: { knownStatus },
        sendAt,
        mayHaveLeft: again,
      }
    }),
  )
  await requeueCancelledMails(trx, await listSuspendedMails(trx, eventId), sendAt)
}

/** Lists the newest of each kind to each person, where it was cancelled. */
async function listSuspendedMails(trx: Knex, eventId: number): Promise<number[]> {
  const { rows } = await trx.raw<{ rows: Pick<MailRow, 'id'>[] }>(
    `select id from (
       select distinct on (application_id, kind) id, state from mails
       where event_id = ? and application_id is not null and kind = any(?)
       order by application_id, kind, id desc
     ) as newest where state = 'cancelled' order by id`,
    [eventId, suspendedKinds as unknown as Knex.Value],
  )
  return rows.map(({ id }) => id)
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
