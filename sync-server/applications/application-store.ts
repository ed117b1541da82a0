import type { Knex } from 'knex'
import type { ApplicationFields } from '#shared/domain/application.ts'
import type { Decision } from '#shared/domain/application-status.ts'
import type { ApplicationRow } from '../db/tables.ts'

/** An application with the name of the device its last decision was made on. */
export interface DecidedApplication {
  readonly row: ApplicationRow
  readonly decidedOn: string | null
}

export async function findApplication(db: Knex, applicationId: number): Promise<ApplicationRow | undefined> {
  return await db('applications').where({ id: applicationId }).first()
}

/** Locked until the transaction ends. */
export async function findApplicationForChange(trx: Knex, applicationId: number): Promise<ApplicationRow | undefined> {
  return await trx('applications').where({ id: applicationId }).forUpdate().first()
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

/** Writes a decision on a locked application: its new state and a line in its history. */
export async function recordDecision(trx: Knex, row: ApplicationRow, decision: NewDecision): Promise<ApplicationRow> {
  const decisionNumber = row.decision_number + 1
  const [decided] = await trx('applications')
    .where({ id: row.id })
    .update({ status: decision.status, decision_number: decisionNumber, decided_at: decision.now })
    .returning('*')
  if (!decided) throw new Error(`Application ${row.id} vanished while it was locked`)
  await trx('application_decisions').insert({
    application_id: row.id,
    decision_number: decisionNumber,
    from_status: row.status,
    to_status: decision.status,
    decided_by: decision.decidedBy,
    device_id: decision.device?.id ?? null,
    device_name: decision.device?.name ?? null,
    decided_at: decision.now,
  })
  return decided
}
