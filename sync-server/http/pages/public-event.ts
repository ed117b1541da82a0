import type { Knex } from 'knex'
import type { PublicEvent } from '#shared/events/event-calls.ts'

/** An event as everyone sees it, and since when it reads so; undefined when there is none. */
export async function findPublicEvent(
  db: Knex,
  id: number,
): Promise<{ event: PublicEvent; changedAt: Date } | undefined> {
  const row = await db('sync_log')
    .where({ scope: 'public', collection: 'events', docId: String(id), deleted: false })
    .first('body', 'updatedAt')
  return row?.body ? { event: JSON.parse(row.body) as PublicEvent, changedAt: row.updatedAt } : undefined
}
