import type { Knex } from 'knex'
import { alerts, applications, events, mail } from '../schema/events-tables.ts'
import { jobs, operation, sync } from '../schema/operation-tables.ts'
import { accounts, billing } from '../schema/people-tables.ts'

/**
 * Every table, by noun. Times are timestamptz, money is whole cents, texts are unbounded `text` (the contract bounds them), ids are
 * bigint and read as numbers. Those of events and applications are given by what creates them (`newId` in shared); the identity
 * behind them serves the demo and tests, whose ids are small.
 *
 * The order matters to one thing: PostgreSQL goes through the constraints on a deleted row as they were made, so a mail lets go
 * of its event after the event's applications have gone.
 */
export async function up(db: Knex): Promise<void> {
  for (const noun of [accounts, billing, events, applications, mail, alerts, sync, jobs, operation]) await db.raw(noun)
}
