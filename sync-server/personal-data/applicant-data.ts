import type { Knex } from 'knex'
import { changesOfApplications, presentOtherNotes } from '../applications/application-presenter.ts'
import { findToDecideOn, type OwnedApplication } from '../applications/application-store.ts'
import { tellOrganizer } from '../applications/organizer-news.ts'
import { toColumnNames } from '../db/column-names.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { recordChanges } from '../feed/change-feed.ts'
import { forgetMails, isToAddresses } from '../mail/mail-store.ts'
import { forgetInJobs } from './delete-account.ts'

/** Walk-ins may have no address. */
const isTheirs = `lower(email) = lower(?) and email <> ''`

/**
 * Collects for the person what they wrote, decisions and notes, phones, mails and messages, under an address in any
 * case. Hashes and keys are left out, and columns have PostgreSQL's names. Returns undefined when there is nothing.
 */
export async function exportApplicant(db: Knex, email: string): Promise<object | undefined> {
  const rows = await db('applications').whereRaw(isTheirs, [email]).orderBy(['createdAt', 'id'])
  const ids = rows.map(({ id }) => id)
  const mails = await db('mails')
    .where(
      (either) =>
        void either
          .whereIn('applicationId', ids)
          .orWhereRaw(isToAddresses, [[email.toLowerCase()], [email.toLowerCase()]] as unknown as Knex.Value[]),
    )
    .orderBy('id')
    .select(
      'applicationId',
      'kind',
      'eventId',
      'toName',
      'toAddress',
      'subject',
      'payload',
      'state',
      'sendAt',
      'sentAt',
      'createdAt',
    )
  if (rows.length + mails.length === 0) return undefined
  const applications: object[] = []
  for (const { statusTokenHash: _, faceHash: __, noteBy: ___, ...application } of rows) {
    const event = await db('events')
      .where({ id: application.eventId })
      .first('id', 'name', 'startDate', 'endDate', 'location', 'address', 'city', 'state')
    const decisions = await db('application_decisions')
      .where({ applicationId: application.id })
      .orderBy('decisionNumber')
      .select('decisionNumber', 'fromStatus', 'toStatus', 'decidedAt')
    const phones = await db('applicant_phones')
      .where({ applicationId: application.id })
      .orderBy('id')
      .select('endpoint', 'createdAt', 'lastSuccessAt')
    const messages = await db('messages')
      .where({ eventId: application.eventId, cancelledAt: null })
      .whereRaw('application_ids @> array[?::bigint]', [application.id])
      .orderBy('leavesAt')
      .select('body', 'leavesAt')
    const face = await db('application_faces').where({ applicationId: application.id }).first('body')
    applications.push({
      ...toColumnNames({ ...application, otherNotes: presentOtherNotes(application) }),
      ...(face && { face_webp_base64: face.body.toString('base64') }),
      event: event && toColumnNames(event),
      decisions: decisions.map(toColumnNames),
      phones: phones.map(toColumnNames),
      messages: messages.map(toColumnNames),
    })
  }
  return { email, applications, mails: mails.map(toColumnNames) }
}

export interface DeletedApplicant {
  readonly applications: number
  /** Counts those of them that were on an event's public page. */
  readonly wereBeacons: number
  readonly mails: number
}

/**
 * Runs in the caller's transaction, in any case of the address. Opens full events again; organizers of coming events
 * hear of a withdrawn Beacon. Locks the change feed, so it belongs at the transaction's end. Doing it twice is
 * harmless.
 */
export async function deleteApplicant(trx: Knex.Transaction, email: string, now: Date): Promise<DeletedApplicant> {
  const named: number[] = await trx('applications').whereRaw(isTheirs, [email]).orderBy('id').pluck('id')
  const { applications, beacons, mails } = await deleteApplications(trx, named, {
    emails: [email],
    requestId: 'command',
    now,
  })
  const gone = await changesOfApplications(trx, applications)
  const openings = await changesOfEvents(
    trx,
    beacons.map(({ eventId, organizerId }) => ({ id: eventId, organizerId })),
    { isForOrganizer: false },
  )
  await recordChanges(trx, [...gone.values(), ...openings.values()].flat())
  return { applications: applications.length, wereBeacons: beacons.length, mails }
}

/**
 * With their mails, and those to `emails`; organizers of coming events hear of a withdrawn Beacon.
 * The caller tells the feed.
 */
export async function deleteApplications(
  trx: Knex,
  named: readonly number[],
  { emails, requestId, now }: { readonly emails: readonly string[]; readonly requestId: string; readonly now: Date },
): Promise<{
  readonly applications: OwnedApplication[]
  readonly beacons: OwnedApplication[]
  readonly mails: number
}> {
  const applications = [...(await findToDecideOn(trx, named)).values()].map(({ row }) => row)
  const ids = applications.map(({ id }) => id)
  const mails = await forgetMails(trx, { applicationIds: ids, addresses: emails })
  for (const address of new Set([...emails, ...applications.map(({ email }) => email)]))
    await forgetInJobs(trx, address)
  await trx('applications').whereIn('id', ids).del()
  for (const { id } of applications)
    await trx('audit_log').insert({ route: 'deleteApplicant', subject: String(id), status: 204, requestId })
  const beacons = applications.filter(({ status }) => status === 'approved')
  for (const event of await listEvents(trx, [...new Set(beacons.map(({ eventId }) => eventId))])) {
    if (hasEnded(event, now)) continue
    for (const beacon of beacons.filter(({ eventId }) => eventId === event.id))
      await tellOrganizer(trx, event.organizerId, beacon, 'withdrawn', now)
  }
  return { applications, beacons, mails }
}

/** Events of a closed account stay hidden. */
async function listEvents(trx: Knex, ids: readonly number[]): Promise<EventRow[]> {
  return await trx('events')
    .whereIn('id', ids)
    .whereIn('organizerId', trx('users').whereNull('closedAt').select('id'))
    .orderBy('id')
}
