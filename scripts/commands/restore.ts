import type { Knex } from 'knex'
import { MIGRATION_LOCK, migrateWithin } from '../../sync-server/db/migrate.ts'
import { baseline, migrationSource } from '../../sync-server/db/migrations.ts'
import { databaseWentBack } from '../../sync-server/app/database-went-back.ts'
import { BrokenBackup, readBackup, type BackupLine } from './backup-file.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { inQuotes, sumTable, writeValuesAlike, type TableSum } from './table-rows.ts'

/** `npm run restore -- <file> [--force]`. The server must be stopped. */
export async function restore(args: readonly string[], env: Environment): Promise<Ended> {
  const [file, ...more] = args.filter((word) => word !== '--force')
  if (file === undefined || file.startsWith('-') || more.length > 0) return usage('restore -- <file> [--force]')
  const options = { poolSize: 1, statementTimeoutMs: 0, applicationName: 'beaconry-restore' }
  return await onConfiguredDatabase(env, options, async (db) => {
    try {
      const { takenAt, tables, heldMails } = await restoreBackup(db, file, { force: args.includes('--force') })
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      const output =
        `Restored ${rows} rows of ${tables.length} tables as of ${takenAt}, each checked. Everyone signs in again, every device takes a fresh copy and offers again what it made since.\n` +
        `${heldMails} mails that waited then may have left since; their organizers decide whether to send them again.\n`
      return { status: 0, output }
    } catch (error) {
      return { status: 1, output: `Nothing was restored: ${(error as Error).message}\n` }
    }
  })
}

/** Rows are inserted in batches of this many, or about this many characters. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 4_000_000

class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

export interface Restored {
  readonly takenAt: string
  readonly tables: readonly TableSum[]
  /** New: every device takes a fresh copy and offers again what was lost. */
  readonly epoch: string
  /** They may have left since the backup, and a person decides about them. */
  readonly heldMails: number
}

/**
 * Runs in one transaction, and counts and compares every stored row. No other client may be connected. An older backup
 * is migrated.
 * @throws RestoreRefused, BrokenBackup
 */
export async function restoreBackup(db: Knex, file: string, { force }: { force: boolean }): Promise<Restored> {
  return await db.transaction(async (trx) => {
    await refuseWhileConnected(trx)
    // A server that starts now waits here before it looks at the database.
    await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await clear(trx, force)
    await writeValuesAlike(trx)
    const loading = createLoading(trx)
    await readBackup(file, loading.take)
    await migrateWithin(trx, migrationSource)
    return { takenAt: loading.takenAt(), tables: loading.tables, ...(await databaseWentBack(trx)) }
  })
}

async function refuseWhileConnected(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { who: string }[] }>(
    `select distinct coalesce(nullif(application_name, ''), 'a client without a name') as who from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' order by 1`,
  )
  if (rows.length === 0) return
  const names = rows.map(({ who }) => who).join(', ')
  throw new RestoreRefused(`The database is in use (${names}). Stop the server first, then restore.`)
}

async function clear(trx: Knex.Transaction, force: boolean): Promise<void> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name)
  if (!names.includes('knex_migrations') || !(await trx.from('knex_migrations').where({ name: baseline }).first()))
    throw new RestoreRefused('The database holds tables that are not of Beaconry. They are left alone.')
  if (!force && (await trx('users').first('id')))
    throw new RestoreRefused('The database is not empty. Add --force to replace everything in it by the backup.')
  const tables = names.map((name) => inQuotes(trx, name))
  await trx.raw(`drop table ${tables.map(() => '??').join(', ')} cascade`, tables)
}

function createLoading(trx: Knex.Transaction): {
  take(line: BackupLine): Promise<void>
  tables: TableSum[]
  takenAt(): string
} {
  const tables: TableSum[] = []
  let takenAt = ''
  let table = ''
  let batch: string[] = []
  let characters = 0

  const flush = async () => {
    if (batch.length === 0) return
    await trx.raw(`insert into ?? select * from json_populate_recordset(null::??, ?::json)`, [
      table,
      table,
      `[${batch.join(',')}]`,
    ])
    batch = []
    characters = 0
  }

  const take = async (line: BackupLine) => {
    switch (line.kind) {
      case 'head':
        takenAt = line.takenAt
        return await migrateTo(trx, line.migrations)
      case 'table':
        table = line.table
        if (await trx.from(table).first()) await trx.from(table).del()
        return
      case 'row':
        characters += line.json.length
        if (batch.push(line.json) >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush()
        return
      case 'end': {
        await flush()
        const total = await sumTable(trx, table)
        if (total.rows !== line.rows || total.sha256 !== line.sha256)
          throw new BrokenBackup(`The backup is damaged: ${table} is not what was written.`)
        tables.push(total)
        return
      }
      case 'sequence':
        await trx.raw('select setval(?::regclass, ?::bigint)', [`public.${line.sequence}`, line.lastValue])
        return
      case 'complete':
    }
  }
  return { take, tables, takenAt: () => takenAt }
}

async function migrateTo(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  const known = await migrationSource.getMigrations([])
  const unknown = names.filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0)
    throw new RestoreRefused(`The backup was made by a newer Beaconry (${unknown.join(', ')}). Update this one first.`)
  const then = known.filter(({ name }) => names.includes(name))
  await migrateWithin(trx, { ...migrationSource, getMigrations: async () => then })
}

await runAsProgram(import.meta.url, restore)
