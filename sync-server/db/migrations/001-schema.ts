import type { Knex } from 'knex'
import { alerts, applications, events, mail } from '../schema/events-tables.ts'
import { jobs, operation, sync } from '../schema/operation-tables.ts'
import { accounts, billing } from '../schema/people-tables.ts'

/**
 * Money is whole cents, texts are bounded by the contract. Ids of events and applications come from their creators;
 * their identity columns serve the demo and tests. The order matters: PostgreSQL checks constraints on a deleted row in
 * the order they were made, so a mail lets go of its event after the event's applications have gone.
 */
export async function up(db: Knex): Promise<void> {
  for (const noun of [accounts, billing, events, applications, mail, alerts, sync, jobs, operation]) await db.raw(noun)
}
