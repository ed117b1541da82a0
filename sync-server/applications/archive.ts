import type { Knex } from 'knex'
import { keptDays } from '#shared/applications/archive.ts'
import { inLots } from '../db/lots.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { recordChanges, type Written } from '../feed/change-feed.ts'
import { changesOfApplications } from './application-presenter.ts'

/** The lot is small enough that devices and decisions are not kept waiting. */
const atOnce = 500

/**
 * Takes decided applications of events that ended more than 30 days ago from their organizers' devices, and gives back
 * those of events that were moved. An event whose applications are as they shall be is marked with its last day, and a
 * decision takes the mark away. Returns how many changed.
 */
export const archiveApplications = inLots(async (db, now) => await db.transaction((trx) => archiveLot(trx, now)))

async function archiveLot(trx: Knex.Transaction, now: Date): Promise<number | undefined> {
  const event = await findDueEvent(trx, now)
  if (!event) return undefined
  const { rows } = await trx.raw<{ rows: Written[] }>(
    `update applications a set archived = not a.archived
     where a.id = any(array(
       select id from applications where event_id = ? and archived <> (status <> 'pending' and ?)
       order by id limit ? for update
     )) returning a.id, ?::bigint as organizer_id`,
    [event.id, event.isOld, atOnce, event.organizerId],
  )
  if (rows.length < atOnce)
    await trx('events')
      .where({ id: event.id })
      .update({ archivedFor: event.isOld ? event.endDate : null })
  const changes = [...(await changesOfApplications(trx, rows)).values()].flat()
  await recordChanges(
    trx,
    changes.filter(({ scope }) => scope !== 'public'),
  )
  return rows.length
}

type DueEvent = Pick<EventRow, 'id' | 'organizerId' | 'endDate'> & { readonly isOld: boolean }

/** Locks it, as decisions share it; one that is locked has its turn later. */
async function findDueEvent(trx: Knex, now: Date): Promise<DueEvent | undefined> {
  const isOld = `end_date < (?::timestamptz at time zone 'UTC')::date - ?::int`
  for (const isDue of [`archived_for is null and ${isOld}`, 'archived_for is not null']) {
    const event = (await trx('events')
      .whereRaw('archived_for is distinct from end_date')
      .whereRaw(isDue, isDue.includes('?') ? [now, keptDays] : [])
      // The order of the index keeps PostgreSQL from looking through all events for a first one.
      .orderBy(['archivedFor', 'endDate'])
      .forNoKeyUpdate()
      .skipLocked()
      .first('id', 'organizerId', 'endDate', trx.raw(`${isOld} as is_old`, [now, keptDays]))) as DueEvent | undefined
    if (event) return event
  }
  return undefined
}
