import type { RouteName } from '#shared/api/routes.ts'
import type { HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { applicationRecord, publicChanges } from '#shared/applications/application-record.ts'
import { stateOf } from '#shared/record/basis.ts'
import type { Knex } from 'knex'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { withdrawn } from '#shared/applications/decide.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { publicTextsOf } from './application-presenter.ts'
import { columnsOf } from '../db/column-names.ts'
import { findByMailedToken, hashToken } from './application-token.ts'

/** By the token of the first answer or of a mail. */
export async function findByToken(db: Knex, token: string): Promise<ApplicationRow | undefined> {
  const mailed = await findByMailedToken(db, token)
  return (
    mailed ??
    (await db('applications')
      .where({ statusTokenHash: hashToken(token) })
      .first())
  )
}

/** The same for a wrong link and a deleted application. */
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
  try {
    const [row] = await trx.transaction((savepoint) =>
      savepoint('applications')
        .where({ id })
        .update({
          ...columnsOf(applicationRecord, fields),
          linkOpenedAt: savepoint.raw('case when lower(email) = lower(?) then link_opened_at end', [fields.email]),
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
 * Keeps what the organizer approved until their next word. `isNews`: guests now read anything that was not approved.
 */
export async function noteApprovedAs(
  trx: Knex,
  before: ApplicationRow,
  corrected: ApplicationRow,
  now: Date,
): Promise<{ readonly row: ApplicationRow; readonly isNews: boolean }> {
  const present = publicTextsOf(corrected)
  if (publicChanges(publicTextsOf(before), present).length === 0) return { row: corrected, isNews: false }
  const known = before.approvedAs?.basis === before.basis ? before.approvedAs : null
  const fields = known?.fields ?? publicTextsOf(before)
  const isNews = publicChanges(fields, present).length > 0
  const approvedAs = isNews ? { basis: before.basis, changedAt: now.toISOString(), fields } : null
  await trx('applications')
    .where({ id: corrected.id })
    .update({ approvedAs: approvedAs && JSON.stringify(approvedAs) })
  return { row: { ...corrected, approvedAs }, isNews }
}

const mostNamed = 50

/** First names of the other expected Beacons. */
export async function listFellowBeacons(db: Knex, { id, eventId }: ApplicationRow): Promise<string[]> {
  return await db('applications')
    .where({ eventId, status: 'approved' })
    .whereNot({ id })
    .whereRaw('coming is not false')
    .orderBy(['firstName', 'id'])
    .limit(mostNamed)
    .pluck('firstName')
}

export async function recordComing(trx: Knex, id: number, coming: boolean): Promise<ApplicationRow> {
  const [updated] = await trx('applications').where({ id }).update({ coming }).returning('*')
  if (!updated) throw new Error('An application vanished while it was locked')
  return updated
}

/** Rejects for good, with a decision without a user in the history. */
export async function recordWithdrawal(
  trx: Knex,
  { row, key, now }: { row: ApplicationRow; key: string | null; now: Date },
): Promise<ApplicationRow> {
  const { status, basis, decisionNumber } = withdrawn(row, stateOf(key ?? ''))
  const [updated] = await trx('applications')
    .where({ id: row.id })
    .update({ status, basis, withdrawnAt: now, decidedAt: now, decisionNumber, coming: null })
    .returning('*')
  if (!updated) throw new Error('An application vanished while it was locked')
  await trx('application_decisions').insert({
    applicationId: row.id,
    decisionNumber,
    fromStatus: row.status,
    toStatus: status,
    decidedBy: null,
    decidedAt: now,
  })
  return updated
}
