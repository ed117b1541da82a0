import type { Knex } from 'knex'
import { changesOfEvents } from '../events/event-presenter.ts'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { inLots } from '../db/lots.ts'
import { recordChanges } from '../feed/change-feed.ts'

/** The privacy page promises this, counted from the event. */
const keptMonths = 12
/** The lot is small enough that the event's organizer is not kept waiting. */
const atOnce = 200

/**
 * The event's own calendar decides. An event without applications any more is marked with its last day, which also takes
 * it from the public feed, and a decision takes the mark away. Returns how many went.
 */
export const purgeApplications = inLots(async (db, now) => await db.transaction((trx) => purgeLot(trx, now)))

/** The event is locked first, as decisions and deletions do; one that is locked has its turn later. */
async function purgeLot(trx: Knex.Transaction, now: Date): Promise<number | undefined> {
  const event = await trx('events')
    .whereRaw('purged_for is distinct from end_date')
    .whereRaw(`end_date <= (?::timestamptz - interval '${keptMonths} month')::date`, [now])
    .whereRaw(`(end_date + interval '${keptMonths} month')::date < (?::timestamptz at time zone time_zone)::date`, [
      now,
    ])
    .orderBy(['endDate', 'id'])
    .forNoKeyUpdate()
    .skipLocked()
    .first('id', 'organizerId', 'endDate')
  if (!event) return undefined
  const ids: number[] = await trx('applications')
    .where({ eventId: event.id })
    .orderBy('id')
    .limit(atOnce)
    .forUpdate()
    .pluck('id')
  const isLast = ids.length < atOnce
  if (isLast) await trx('events').where({ id: event.id }).update({ purgedFor: event.endDate })
  await trx('mails').whereIn('applicationId', ids).del()
  await trx('applications').whereIn('id', ids).del()
  const { organizerId } = event
  const gone = await changesOfApplications(
    trx,
    ids.map((id) => ({ id, organizerId })),
  )
  const hidden = await changesOfEvents(trx, isLast ? [{ id: event.id, organizerId }] : [], { isForOrganizer: false })
  await recordChanges(trx, [...gone.values(), ...hidden.values()].flat())
  return ids.length
}
