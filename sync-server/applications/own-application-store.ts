import type { RouteName } from '#shared/api/routes.ts'
import type { HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { applicationRecord, publicChanges } from '#shared/applications/application-record.ts'
import type { Presence } from '#shared/applications/presence.ts'
import { stateOf } from '#shared/record/basis.ts'
import type { Knex } from 'knex'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { appliedAgain, withdrawn } from '#shared/applications/decide.ts'
import { isExpectedRow } from '../db/expected-beacon.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { publicPartsOf } from './application-presenter.ts'
import { columnsOf } from '../db/column-names.ts'
import { findByMailedToken, hashToken } from './application-token.ts'

/** Finds it by the token of the first answer or of a mail. */
export async function findByToken(db: Knex, token: string): Promise<ApplicationRow | undefined> {
  const mailed = await findByMailedToken(db, token)
  return (
    mailed ??
    (await db('applications')
      .where({ statusTokenHash: hashToken(token) })
      .first())
  )
}

/** A wrong link and a deleted application get the same answer. */
export const unknownToken = () =>
  new ProblemError('not_found', 'We have no application under this link. Its event may have been deleted.')

/** Counts the sender first; throws `unknownToken`. */
export async function findOwn(
  { db, address, spend }: Pick<HandlerCall<RouteName>, 'db' | 'address' | 'spend'>,
  token: string | null,
): Promise<ApplicationRow> {
  await spend('own-application', address)
  const row = token === null ? undefined : await findByToken(db, token)
  if (!row) throw unknownToken()
  return row
}

export async function noteLinkOpened(db: Knex, { id, email }: ApplicationRow, now: Date): Promise<void> {
  await db('applications').where({ id, email, linkOpenedAt: null }).update({ linkOpenedAt: now })
}

const uniqueViolation = '23505'

/** A new address counts as not yet heard of; undefined when the event has another application from it. */
export async function rewriteApplication(
  trx: Knex,
  id: number,
  fields: ApplicationFields,
): Promise<ApplicationRow | undefined> {
  return await rewrite(trx, id, fields.email, columnsOf(applicationRecord, fields))
}

/** Works as `rewriteApplication` does. */
export async function rewriteEmail(trx: Knex, id: number, email: string): Promise<ApplicationRow | undefined> {
  return await rewrite(trx, id, email, { email })
}

async function rewrite(trx: Knex, id: number, email: string, columns: object): Promise<ApplicationRow | undefined> {
  try {
    const [row] = await trx.transaction((savepoint) =>
      savepoint('applications')
        .where({ id })
        .update({
          ...columns,
          linkOpenedAt: savepoint.raw('case when lower(email) = lower(?) then link_opened_at end', [email]),
        })
        .returning('*'),
    )
    return row
  } catch (error) {
    if ((error as { code?: unknown }).code === uniqueViolation) return undefined
    throw error
  }
}

/**
 * Keeps what the organizer approved until their next word. `isNews`: guests now see anything that was not approved.
 */
export async function noteApprovedAs(
  trx: Knex,
  before: ApplicationRow,
  corrected: ApplicationRow,
  now: Date,
): Promise<{ readonly row: ApplicationRow; readonly isNews: boolean }> {
  const present = publicPartsOf(corrected)
  if (publicChanges(publicPartsOf(before), present).length === 0) return { row: corrected, isNews: false }
  const known = before.approvedAs?.basis === before.basis ? before.approvedAs : null
  const fields = known?.fields ?? publicPartsOf(before)
  const isNews = publicChanges(fields, present).length > 0
  const approvedAs = isNews ? { basis: before.basis, changedAt: now.toISOString(), fields } : null
  await trx('applications')
    .where({ id: corrected.id })
    .update({ approvedAs: approvedAs && JSON.stringify(approvedAs) })
  return { row: { ...corrected, approvedAs }, isNews }
}

const maxNamed = 50

/** Lists first names of the other expected Beacons. */
export async function listFellowBeacons(db: Knex, { id, eventId }: ApplicationRow): Promise<string[]> {
  return await db('applications')
    .where({ eventId, status: 'approved' })
    .whereNot({ id })
    .whereRaw(isExpectedRow)
    .orderByRaw(`plain_text(first_name) collate "C", id`)
    .limit(maxNamed)
    .pluck('firstName')
}

export async function recordComing(trx: Knex, id: number, coming: boolean): Promise<ApplicationRow> {
  const [updated] = await trx('applications').where({ id }).update({ coming }).returning('*')
  if (!updated) throw new Error('An application vanished while it was locked')
  return updated
}

export async function recordArrival(
  trx: Knex,
  id: number,
  { arrivedAt, presence }: { readonly arrivedAt: string | null; readonly presence: Presence },
): Promise<ApplicationRow> {
  const columns = { arrivedAt: arrivedAt === null ? null : new Date(arrivedAt), presence }
  const [updated] = await trx('applications').where({ id }).update(columns).returning('*')
  if (!updated) throw new Error('An application vanished while it was locked')
  return updated
}

/** Rejects until the applicant applies again, with a decision of their own in the history. */
export async function recordWithdrawal(
  trx: Knex,
  { row, key, now }: { row: ApplicationRow; key: string | null; now: Date },
): Promise<ApplicationRow> {
  const { status, basis, decisionNumber } = withdrawn(row, stateOf(key ?? ''))
  const columns = { status, basis, withdrawnAt: now, decidedAt: now, decisionNumber, coming: null }
  return await recordOwnDecision(trx, row, columns, now)
}

/** Finds the status that an application had when its latest decision was made. */
export async function statusBefore(
  db: Knex,
  { id, decisionNumber }: Pick<ApplicationRow, 'id' | 'decisionNumber'>,
): Promise<ApplicationRow['status'] | undefined> {
  const line = await db('application_decisions').where({ applicationId: id, decisionNumber }).first('fromStatus')
  return line?.fromStatus
}

export async function recordApplyingAgain(
  trx: Knex,
  { row, key, sentLate, now }: { row: ApplicationRow; key: string | null; sentLate: boolean; now: Date },
): Promise<ApplicationRow> {
  const { status, basis, decisionNumber } = appliedAgain(row, stateOf(key ?? ''))
  const columns = { status, basis, withdrawnAt: null, decidedAt: null, decisionNumber, coming: null, sentLate }
  return await recordOwnDecision(trx, row, columns, now)
}

async function recordOwnDecision(
  trx: Knex,
  row: ApplicationRow,
  columns: Pick<ApplicationRow, 'status' | 'decisionNumber'> & Partial<ApplicationRow>,
  now: Date,
): Promise<ApplicationRow> {
  const [updated] = await trx('applications').where({ id: row.id }).update(columns).returning('*')
  if (!updated) throw new Error('An application vanished while it was locked')
  await trx('application_decisions').insert({
    applicationId: row.id,
    decisionNumber: columns.decisionNumber,
    fromStatus: row.status,
    toStatus: columns.status,
    byApplicant: true,
    decidedBy: null,
    decidedAt: now,
  })
  return updated
}
