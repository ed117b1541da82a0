import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Client } from 'pg'
import { createKnex, directConnectionOf } from './knex-config.ts'
import { type NamedMigration, migrationSource } from './migrations.ts'
import { DatabaseUnusable, connectTo, requireDirectConnection } from './reach-database.ts'

/** Every version of the server must use the same number. */
export const MIGRATION_LOCK = 7_326_541

/** Knex refuses a database of a newer version with words about files; `checkVersion` judges it. */
const ofAnyVersion = { migrationSource, disableMigrationsListValidation: true }

const longestWaitMs = 120_000
const askAgainMs = 100
const sayAfterMs = 3_000

export interface MigrateOptions {
  /** The default is two minutes. */
  readonly waitMs?: number
  readonly say?: (message: string) => void
}

/**
 * Returns the names of the migrations that ran. An advisory lock admits one process and vanishes with its connection,
 * so knex's own lock row is freed first.
 * @throws DatabaseUnusable when the database cannot be used, or the lock is kept too long
 */
export async function migrate(db: Knex, options: MigrateOptions = {}): Promise<string[]> {
  const { connectionString, setting } = directConnectionOf(db)
  await requireDirectConnection(connectionString, setting)
  const gate = await connectTo(connectionString, 'beaconry-migrate')
  try {
    await takeTurn(gate, options)
    const migrator = createKnex(connectionString, {
      poolSize: 2,
      statementTimeoutMs: 0,
      applicationName: 'beaconry-migrate',
    })
    try {
      await migrator.migrate.forceFreeMigrationsLock({ migrationSource })
      await checkVersion(migrator, options)
      const [, names] = (await migrator.migrate.latest(ofAnyVersion)) as [number, string[]]
      return names
    } finally {
      await migrator.destroy()
      // The connection's end releases it too, unless a pooler keeps the session.
      await gate.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
    }
  } finally {
    await gate.end()
  }
}

/**
 * During an update, and after one that was taken back, a server starts on the database of the next version, whose
 * migrations leave what this one needs.
 */
async function checkVersion(db: Knex, { say }: MigrateOptions): Promise<void> {
  const [completed, pending] = (await db.migrate.list(ofAnyVersion)) as [{ readonly name: string }[], NamedMigration[]]
  const known = new Set((await migrationSource.getMigrations([])).map(({ name }) => name))
  const unknown = completed.map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  if (pending.length > 0)
    throw new DatabaseUnusable(
      `The database is of another Beaconry: it has ${unknown.join(', ')} and lacks ${pending.map(({ name }) => name).join(', ')}`,
    )
  say?.(`the database was brought up to date by a newer version (${unknown.join(', ')}), and this one works with it`)
}

/** A silent wait without end would look like a hang. */
async function takeTurn(gate: Client, { waitMs = longestWaitMs, say }: MigrateOptions): Promise<void> {
  // Ends within a minute the session of a lock holder whose machine is gone.
  await gate.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
  const begunAt = Date.now()
  let hasSaid = false
  for (;;) {
    const { rows } = await gate.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])
    if (rows[0]?.taken) return
    const waitedMs = Date.now() - begunAt
    if (waitedMs >= waitMs) throw new DatabaseUnusable(await describeHolder(gate, waitedMs))
    if (!hasSaid && waitedMs >= sayAfterMs) {
      hasSaid = true
      say?.('waiting for another process that is bringing the database up to date')
    }
    await delay(Math.min(askAgainMs, waitMs))
  }
}

async function describeHolder(gate: Client, waitedMs: number): Promise<string> {
  const { rows } = await gate.query<{ pid: number; name: string | null; since: Date | null }>(
    `select l.pid, nullif(a.application_name, '') as name, a.backend_start as since
     from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
       and l.classid = 0 and l.objid = $1 and l.objsubid = 1`,
    [MIGRATION_LOCK],
  )
  const [holder] = rows
  const who = holder
    ? `session ${holder.pid}${holder.name ? ` (${holder.name})` : ''}${holder.since ? `, connected since ${holder.since.toISOString()}` : ''}`
    : 'an unknown process'
  const remedy = holder
    ? ` If it is no server of yours that is migrating, end it: select pg_terminate_backend(${holder.pid})`
    : ''
  return `The database is being brought up to date by another process: after ${Math.round(waitedMs / 1000)} s ${who} still holds the lock for it. Start again later.${remedy}`
}

/**
 * Runs in the caller's transaction. There knex's migrator switches camelCase off and leaves it off, for the whole pool.
 */
export async function migrateWithin(trx: Knex.Transaction, source: typeof migrationSource): Promise<void> {
  try {
    await trx.migrate.latest({ migrationSource: source })
  } finally {
    ;(trx as unknown as { enableProcessing(): void }).enableProcessing()
  }
}

export async function isMigrated(db: Knex): Promise<boolean> {
  const [, pending] = (await db.migrate.list(ofAnyVersion)) as [unknown[], unknown[]]
  return pending.length === 0
}
