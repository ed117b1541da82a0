import type { Knex } from 'knex'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { recordChanges } from '../feed/change-feed.ts'

/** The privacy page promises this, counted from the event. */
const keptMonths = 12
/** The batch is small enough that the event's organizer is not kept waiting. */
const atOnce = 200
const eventsAtOnce = 1_000

/** The event's own calendar decides. Each batch is a transaction of its own. Answers how many went. */
export async function purgeApplications(db: Knex, now: Date): Promise<number> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select e.id from events e
     where e.end_date <= (?::timestamptz - ? * interval '1 month')::date
       and (e.end_date + ? * interval '1 month')::date < (?::timestamptz at time zone e.time_zone)::date
       and exists (select from applications a where a.event_id = e.id)
     order by e.end_date, e.id limit ?`,
    [now, keptMonths, keptMonths, now, eventsAtOnce],
  )
  let removed = 0
  for (const { id } of rows) {
    for (;;) {
      const count = await db.transaction((trx) => purgeBatch(trx, id))
      removed += count
      if (count < atOnce) break
    }
  }
  return removed
}

async function purgeBatch(trx: Knex.Transaction, eventId: number): Promise<number> {
  // The event is locked first, as decisions and deletions do.
  const event = await trx('events').where({ id: eventId }).forNoKeyUpdate().first('organizerId')
  if (!event) return 0
  const ids: number[] = await trx('applications').where({ eventId }).orderBy('id').limit(atOnce).forUpdate().pluck('id')
  if (ids.length === 0) return 0
  await trx('mails').whereIn('applicationId', ids).del()
  await trx('applications').whereIn('id', ids).del()
  const changes = await changesOfApplications(
    trx,
    ids.map((id) => ({ id, organizerId: event.organizerId })),
  )
  await recordChanges(trx, [...changes.values()].flat())
  return ids.length
}
