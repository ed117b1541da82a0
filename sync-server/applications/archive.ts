import type { Knex } from 'knex'
import { keptDays } from '#shared/applications/archive.ts'
import { recordChanges, type Written } from '../feed/change-feed.ts'
import { changesOfApplications } from './application-presenter.ts'

/** The batch is small enough that devices and decisions are not kept waiting. */
const atOnce = 500

/**
 * Takes decided applications of events that ended more than 30 days ago from their organizers' devices, and gives back
 * those of events that were moved. Each batch has a transaction. Answers how many changed.
 */
export async function archiveApplications(db: Knex, now: Date): Promise<number> {
  let changed = 0
  for (;;) {
    const count = await db.transaction((trx) => archiveBatch(trx, now))
    changed += count
    if (count < atOnce) return changed
  }
}

async function archiveBatch(trx: Knex.Transaction, now: Date): Promise<number> {
  const { rows } = await trx.raw<{ rows: Written[] }>(
    `update applications a set archived = not a.archived from (
       select a.id, e.organizer_id from applications a join events e on e.id = a.event_id
       where a.archived <> (a.status <> 'pending' and e.end_date < (?::timestamptz at time zone 'UTC')::date - ?::int)
       order by e.organizer_id, a.id limit ? for update of a skip locked
     ) due where a.id = due.id returning a.id, due.organizer_id`,
    [now, keptDays, atOnce],
  )
  const changes = [...(await changesOfApplications(trx, rows)).values()].flat()
  await recordChanges(
    trx,
    changes.filter(({ scope }) => scope !== 'public'),
  )
  return rows.length
}
