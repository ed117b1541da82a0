import type { Knex } from 'knex'
import type { ApplicationFields } from '#shared/domain/application.ts'
import type { Decision } from '#shared/domain/application-status.ts'
import type { ApplicationRow } from '../db/tables.ts'

/** An application with the name of the device its last decision was made on. */
export interface DecidedApplication {
  readonly row: ApplicationRow
  readonly decidedOn: string | null
}

/** What a decision needs to know of an application's event. */
export interface ApplicationsEvent {
  readonly id: number
  readonly organizerId: number
  readonly maxBeacons: number | null
}

/** Any number that no other advisory lock of two numbers uses. */
const decisionTurns = 1

/**
 * An application locked for a decision, with its event, which stays as it is until the transaction ends. The event is
 * locked first, as deleting it does; many may rely on it at once. Where the number of Beacons is limited, decisions also
 * take turns, so that each counts the approved ones of all before it.
 */
export async function findToDecideOn(
  trx: Knex,
  applicationId: number,
): Promise<{ event: ApplicationsEvent; row: ApplicationRow } | undefined> {
  const { rows } = await trx.raw<{ rows: (ApplicationRow & { organizer_id: number; max_beacons: number | null })[] }>(
    `select a.*, e.organizer_id, e.max_beacons from events e join applications a on a.event_id = e.id
     where a.id = ? for share of e for update of a`,
    [applicationId],
  )
  const [found] = rows
  if (!found) return undefined
  const { organizer_id: organizerId, max_beacons: maxBeacons, ...row } = found
  if (maxBeacons !== null) await trx.raw('select pg_advisory_xact_lock(?, ?)', [decisionTurns, row.event_id])
  return { event: { id: row.event_id, organizerId, maxBeacons }, row }
}

/** The name of the device an application's last decision was made on. */
export async function decidingDevice(db: Knex, row: Pick<ApplicationRow, 'id' | 'decision_number'>): Promise<string | null> {
  const decision = await db('application_decisions')
    .where({ application_id: row.id, decision_number: row.decision_number })
    .first('device_name')
  return decision?.device_name ?? null
}

/** Applications that `narrow` leaves, with their deciding devices, oldest first. */
export async function listDecidedApplications(
  db: Knex,
  narrow: (query: Knex.QueryBuilder) => void,
): Promise<DecidedApplication[]> {
  const rows: (ApplicationRow & { decided_on: string | null })[] = await db('applications as a')
    .leftJoin('application_decisions as d', (join) => {
      join.on('d.application_id', 'a.id').andOn('d.decision_number', 'a.decision_number')
    })
    .modify(narrow)
    .orderBy('a.id')
    .select('a.*', 'd.device_name as decided_on')
  return rows.map(({ decided_on: decidedOn, ...row }) => ({ row, decidedOn }))
}

/** The approved Beacons of an event, in the order they applied. */
export async function listApprovedIds(db: Knex, eventId: number): Promise<number[]> {
  const rows = await db('applications').where({ event_id: eventId, status: 'approved' }).orderBy('id').select('id')
  return rows.map(({ id }) => id)
}

interface NewApplication {
  readonly eventId: number
  readonly fields: ApplicationFields
  readonly tokenHash: string
  readonly termsVersion: string
  readonly now: Date
}

/** Stores an application; undefined when the event already has one from this e-mail address. */
export async function insertApplication(trx: Knex, given: NewApplication): Promise<ApplicationRow | undefined> {
  const { fields, now } = given
  const rows = await trx('applications')
    .insert({
      event_id: given.eventId,
      first_name: fields.firstName,
      last_name: fields.lastName,
      email: fields.email,
      phone: fields.phone,
      linkedin_url: fields.linkedinUrl,
      company: fields.company,
      job_title: fields.jobTitle,
      experience: fields.experience,
      expertise: fields.expertise,
      why_beacon: fields.whyBeacon,
      networking_style: fields.networkingStyle,
      bio: fields.bio,
      custom_answers: JSON.stringify(fields.customAnswers),
      terms_accepted_at: now,
      terms_version: given.termsVersion,
      status_token_hash: given.tokenHash,
      created_at: now,
    })
    .onConflict(trx.raw('(event_id, lower(email))') as unknown as string)
    .ignore()
    .returning('*')
  return rows[0]
}

interface NewDecision {
  readonly status: Decision
  readonly decidedBy: number
  readonly device: { readonly id: string; readonly name: string } | null
  readonly now: Date
}

/**
 * Writes a decision on a locked application: its new state and a line in its history, in one statement, for a phone that
 * comes back from a hall sends hundreds.
 */
export async function recordDecision(trx: Knex, row: ApplicationRow, decision: NewDecision): Promise<ApplicationRow> {
  const { status, decidedBy, device, now } = decision
  const { rows } = await trx.raw<{ rows: ApplicationRow[] }>(
    `with decided as (
       update applications set status = ?, decision_number = decision_number + 1, decided_at = ? where id = ? returning *
     ), noted as (
       insert into application_decisions (application_id, decision_number, from_status, to_status, decided_by, device_id, device_name, decided_at)
       select id, decision_number, ?, status, ?, ?, ?, decided_at from decided
     )
     select * from decided`,
    [status, now, row.id, row.status, decidedBy, device?.id ?? null, device?.name ?? null] as Knex.Value[],
  )
  const [decided] = rows
  if (!decided) throw new Error(`Application ${row.id} vanished while it was locked`)
  return decided
}
