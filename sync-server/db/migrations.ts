import type { Knex } from 'knex'
import { dailySums } from './schema/daily-sums.ts'
import { eventWords } from './schema/event-words.ts'
import { alerts, applications, events, mail, usedIds } from './schema/events-tables.ts'
import { growth } from './schema/growth.ts'
import { pastEvents } from './schema/past-events.ts'
import { jobs, matching, operation, sync } from './schema/operation-tables.ts'
import { accounts, billing } from './schema/people-tables.ts'

export interface NamedMigration {
  readonly name: string
  readonly sql: string
}

/** A restore recognises a database of ours by this name. */
export const baseline = '001-baseline'

/** A released entry is never renamed, reordered or edited: knex compares names with the database. */
const migrations: NamedMigration[] = [
  {
    // Money is whole cents, texts are bounded by the contract. Ids of events and applications come from their
    // creators; their identity columns serve the demo and tests. The order matters: PostgreSQL checks constraints on a
    // deleted row in the order they were made, so a mail lets go of its event after the event's applications have
    // gone.
    name: baseline,
    sql: [accounts, billing, events, applications, usedIds, mail, alerts, sync, jobs, operation, matching].join(''),
  },
  { name: '002-growth', sql: growth },
  { name: '003-daily-sums', sql: dailySums },
  { name: '004-past-events', sql: pastEvents },
  { name: '005-event-words', sql: eventWords },
]

/** Changes are expanded and later contracted: an old server must work next to a new one. */
async function down(): Promise<void> {
  throw new Error('Migrations only go forward: write a new one that undoes the change')
}

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ sql }) => ({ up: async (db) => void (await db.raw(sql)), down }),
}
