import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Knex } from 'knex'
import { formatLine, type BackupLine } from './backup-file.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { createSum, listTables, rowLines, writeValuesAlike, type TableSum } from './table-rows.ts'

const secrets =
  'It holds secrets in clear, so keep it like the database itself, encrypted where others can reach it: the keys push messages and links in mails are signed with, applicants’ links and the addresses of their phones, and everybody’s personal data. Passwords are in it as argon2id hashes; sessions are not in it.'

/** `npm run backup -- <file>`. The server may be running. */
export async function backup([file, ...more]: readonly string[], env: Environment): Promise<Ended> {
  if (file === undefined || file.startsWith('-') || more.length > 0) return usage('backup -- <file>')
  const options = { statementTimeoutMs: 0, applicationName: 'beaconry-backup' }
  return await onConfiguredDatabase(env, options, async (db) => {
    try {
      const tables = await takeBackup(db, file, new Date())
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      return { status: 0, output: `Backed up ${rows} rows of ${tables.length} tables to ${file}.\n${secrets}\n` }
    } catch (error) {
      return { status: 1, output: `Nothing was backed up: ${(error as Error).message}\n` }
    }
  })
}

/**
 * A snapshot in a new file that only its owner can read; the server may be running. @throws when the file exists or cannot
 * be written; then none is left behind
 */
export async function takeBackup(db: Knex, file: string, now: Date): Promise<TableSum[]> {
  if (lstatSync(file, { throwIfNoEntry: false })) throw existsAlready(file)
  const unfinished = `${file}.unfinished`
  const output = await openNew(unfinished)
  const sums: TableSum[] = []
  try {
    await db.transaction(
      async (trx) => {
        const lines = Readable.from(backupText(trx, now, sums))
        await pipeline(lines, createGzip(), output.createWriteStream({ flush: true }))
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    )
    giveName(unfinished, file)
  } finally {
    await output.close()
    rmSync(unfinished, { force: true })
  }
  return sums
}

const existsAlready = (file: string) => new Error(`${file} exists already; a backup overwrites nothing.`)

/** New and for its owner alone: it holds secrets, and a link could lead it anywhere. */
async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${file} is there: a backup is being written, or one was cut off. Look, delete it and try again.`, {
      cause: error,
    })
  }
}

/** Never over an existing file; without hard links the check is not atomic. */
function giveName(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || lstatSync(to, { throwIfNoEntry: false })) throw existsAlready(to)
    renameSync(from, to)
  }
}

async function* backupText(trx: Knex.Transaction, now: Date, sums: TableSum[]): AsyncGenerator<string> {
  for await (const line of backupLines(trx, now, sums)) yield formatLine(line)
}

async function* backupLines(trx: Knex.Transaction, now: Date, sums: TableSum[]): AsyncGenerator<BackupLine> {
  await writeValuesAlike(trx)
  if (!(await trx.schema.hasTable('knex_migrations'))) throw new Error('the database is empty.')
  const migrations: { name: string }[] = await trx.from('knex_migrations').orderBy('id').select('name')
  yield { kind: 'head', takenAt: now.toISOString(), migrations: migrations.map(({ name }) => name) }
  for (const table of await listTables(trx)) {
    const sum = createSum(table)
    yield { kind: 'table', table }
    for await (const json of rowLines(trx, table)) {
      sum.add(json)
      yield { kind: 'row', json }
    }
    const total = sum.end()
    sums.push(total)
    yield { kind: 'end', rows: total.rows, sha256: total.sha256 }
  }
  const { rows } = await trx.raw<{ rows: { name: string; last: string }[] }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null and sequencename not like 'knex%' order by 1`,
  )
  for (const { name, last } of rows) yield { kind: 'sequence', sequence: name, lastValue: last }
  yield { kind: 'complete' }
}

await runAsProgram(import.meta.url, backup)
