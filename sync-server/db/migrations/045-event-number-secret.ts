import type { Knex } from 'knex'

/**
 * The secret that proves which event numbers were given to whom. It is made here and not when it is first needed, so that
 * every backup holds it: a number leased after the backup is still proved after a restore.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    `insert into installation_secrets (name, secret)
     values ('event-number-lease', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
     on conflict (name) do nothing`,
  )
}
