import type { Knex } from 'knex'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import type { AlertedApplication } from '../../alerts/alert-message.ts'

const gathering = 'new-application-push'

/** An application that shares the first one's job may be stored in a longer transaction, or by another clock. */
const slackMs = 120_000

export async function lastAlertAt(db: Knex, eventId: number, exceptJobId: number): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { at: Date | null }[] }>(
    `select max((payload->>'alertedAt')::timestamptz) as at from jobs where kind = ? and (payload->>'eventId')::bigint = ? and id <> ?`,
    [gathering, eventId, exceptJobId],
  )
  return rows[0]?.at ?? undefined
}

/** Pending applications from the job's time on that no job has announced. */
export async function findUnalerted(db: Knex, eventId: number, jobId: number): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select a.id from applications a, jobs j
     where j.id = ? and a.event_id = ? and a.status = 'pending' and a.created_at >= j.created_at - ? * interval '1 millisecond'
       and not exists (
         select from jobs told
         where told.kind = ? and (told.payload->>'eventId')::bigint = a.event_id and told.payload->'applicationIds' @> to_jsonb(a.id))
     order by a.created_at, a.id`,
    [jobId, eventId, slackMs, gathering],
  )
  return rows.map(({ id }) => id)
}

/** In the job itself, so that its second run announces nothing twice. */
export async function noteAlerted(
  trx: Knex,
  jobId: number,
  applicationIds: readonly number[],
  now: Date,
): Promise<void> {
  await trx.raw(`update jobs set payload = payload || ?::jsonb where id = ?`, [
    JSON.stringify({ applicationIds, alertedAt: now.toISOString() }),
    jobId,
  ])
}

export async function listStillPending(
  db: Knex,
  organizerId: number,
  applicationIds: unknown,
): Promise<AlertedApplication[]> {
  const ids = Array.isArray(applicationIds) ? applicationIds.map(Number) : []
  return (await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .whereIn('applications.id', ids)
    .where('events.organizerId', organizerId)
    .where('applications.status', 'pending')
    .orderBy(['applications.createdAt', 'applications.id'])
    .select('applications.id', 'applications.eventId', 'events.name as eventName')) as AlertedApplication[]
}

/** Undefined unless this is the latest decision and the applicant has not withdrawn. */
export async function findDecided(
  db: Knex,
  applicationId: number,
  decisionNumber: number,
): Promise<(Pick<ApplicationRow, 'id' | 'eventId'> & { readonly eventName: string }) | undefined> {
  return (await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .where('applications.id', applicationId)
    .where('applications.decisionNumber', decisionNumber)
    .whereNull('applications.withdrawnAt')
    .first('applications.id', 'applications.eventId', 'events.name as eventName')) as
    | (Pick<ApplicationRow, 'id' | 'eventId'> & { eventName: string })
    | undefined
}

export async function countPendingOf(db: Knex, organizerId: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { pending: number }[] }>(
    `select count(*)::int as pending from applications a join events e on e.id = a.event_id where e.organizer_id = ? and a.status = 'pending'`,
    [organizerId],
  )
  return rows[0]?.pending ?? 0
}
