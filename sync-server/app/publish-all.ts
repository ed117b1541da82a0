import type { Knex } from 'knex'
import type { Touched } from '../calls/touched.ts'
import { recordChanges } from '../feed/change-feed.ts'
import { presentTouched } from './present-touched.ts'

/**
 * Writes the change feed for every row of the database, as after seeding or a restore, in one statement per audience's
 * rows. Belongs into the transaction that wrote the rows.
 */
export async function publishEverything(trx: Knex.Transaction, now = new Date()): Promise<void> {
  const users = await trx('users').orderBy('id').select('id')
  const events = await trx('events').orderBy('id').select('id', 'organizerId')
  const applications: { id: number; organizerId: number }[] = await trx('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .orderBy('a.id')
    .select('a.id', 'e.organizerId')
  const everything: Touched[] = [
    ...users.map(({ id }) => ({ what: 'account' as const, id })),
    ...events.map((row) => ({ what: 'event' as const, id: row.id, organizerId: row.organizerId })),
    ...applications.map((row) => ({ what: 'application' as const, id: row.id, organizerId: row.organizerId })),
  ]
  await recordChanges(trx, (await presentTouched(trx, everything, now)).flat())
}
