import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Knex } from 'knex'
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { migrate, MIGRATION_LOCK } from '../../sync-server/db/migrate.ts'
import { seedDemo } from '../../sync-server/db/seeds/seed-demo.ts'
import { publishEverything } from '../../sync-server/app/nouns.ts'
import { addUser } from '../../sync-server/testing/account-rows.ts'
import { addCompleteRows } from '../../sync-server/testing/complete-rows.ts'
import { cloneTemplate } from '../../sync-server/testing/template-database.ts'
import { backup, takeBackup } from './backup.ts'
import { restore, restoreBackup } from './restore.ts'
import { listTables, sumTable, writeValuesAlike, type TableSum } from './table-rows.ts'

const now = new Date('2026-11-21T12:00:00Z')
let folder: string
let file: string
let clone: Awaited<ReturnType<typeof cloneTemplate>>
/** A database with the demo in it, of which each test has a copy. */

const adminUrl = inject('databaseAdminUrl')
const filled = await cloneTemplate({ adminUrl, template: inject('databaseTemplate') })
const db = createKnex(filled.connectionString, { poolSize: 1 })
await seedDemo(db, now, publishEverything)
const { id: eventId } = (await db('events').first('id'))!
await db('event_covers').insert({ eventId, sha256: '0', body: Buffer.from([0, 92, 255]), createdAt: now })
await db.destroy()
afterAll(() => filled.drop())
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-backup-'))
  file = path.join(folder, 'monday.backup')
  clone = await cloneTemplate({ adminUrl, template: new URL(filled.connectionString).pathname.slice(1) })
})
afterEach(async () => {
  await clone.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Nobody stays connected: a restore wants the database for itself. */
async function on<T>(work: (db: Knex) => Promise<T>): Promise<T> {
  const db = createKnex(clone.connectionString, { poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const back = () => on((db) => takeBackup(db, file, now))
const bringBack = (options = { force: false }) => on((db) => restoreBackup(db, file, options))
const epoch = () => on(async (db) => (await db('sync_epoch').first())!.epoch)
/** All of the database but the epoch, in figures. */
const content = () =>
  on((db) =>
    db.transaction(async (trx) => {
      await writeValuesAlike(trx)
      const sums: TableSum[] = []
      for (const table of await listTables(trx)) if (table !== 'sync_epoch') sums.push(await sumTable(trx, table))
      return sums
    }),
  )

const runBackup = (...args: string[]) => backup(args, { DATABASE_URL: clone.connectionString })
const runRestore = (...args: string[]) => restore(args, { DATABASE_URL: clone.connectionString })

/** The backup with its text changed. */
function tamper(change: (text: string) => string): void {
  writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)).toString())))
}

it('a restored backup brings back every row under a new epoch, and ends sessions and links', async () => {
  await on(async (db) => {
    const user = (await db('users').first())!
    await db('audit_log').insert({ userId: user.id, route: 'logout', status: 204, requestId: 'r' })
    await db('sessions').insert({ idHash: 'x', userId: user.id, expiresAt: now, absoluteExpiresAt: now })
    await db('account_links').insert({
      id: 'x',
      tokenHash: 'x',
      purpose: 'verify',
      userId: user.id,
      email: user.email,
      createdAt: now,
      expiresAt: now,
    })
    await db('promo_codes').insert({ code: 'ODD\n\t"\u2028😀', description: '\\', discountValue: 1 })
  })
  const [before, firstEpoch] = [await content(), await epoch()]
  await back()
  await on(async (db) => {
    await db('applications').del()
    await db('events').where('id', '>', 3).update({ name: 'Changed' })
    await db('users').insert({ username: 'late', email: 'late@example.com', passwordHash: '-' })
    await db.raw('create table "oddName" (id int)')
  })
  expect(await content()).not.toEqual(before)

  const restored = await bringBack({ force: true })
  expect(await content()).toEqual(before)
  expect(restored.takenAt).toBe(now.toISOString())
  expect(restored.tables.find(({ table }) => table === 'applications')?.rows).toBe(40)
  expect(await epoch()).toBe(restored.epoch)
  expect(restored.epoch).not.toBe(firstEpoch)
  expect(await on((db) => db('sessions'))).toEqual([])
  expect(await on((db) => db('account_links'))).toEqual([])

  // It works.
  await on(async (db) => {
    await db('users').insert({ username: 'late', email: 'late@example.com', passwordHash: '-' })
    await db('audit_log').insert({ route: 'logout', status: 204, requestId: 'r' })
    await expect(db('audit_log').del()).rejects.toThrow('append-only')
    expect(await migrate(db)).toEqual([])
  })
})

/** All rows of all tables, asked without the functions that make a backup. */
const everyRow = () =>
  on(async (db) => {
    const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const found: Record<string, Record<string, unknown>[]> = {}
    for (const { name } of tables) {
      const { rows } = await db.raw<{ rows: { row: Record<string, unknown> }[] }>(
        'select to_jsonb(t) as row from ?? as t order by t::text',
        [name],
      )
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })

it('a backup leaves out the listed tables alone, and no column of any other', async () => {
  await on((db) => addCompleteRows(db))
  const before = await everyRow()
  const empty = Object.entries(before).flatMap(([table, rows]) =>
    Object.keys(rows[0] ?? { '*': null })
      .filter((column) => rows.every((row) => (row[column] ?? null) === null))
      .map((column) => `${table}.${column}`),
  )
  expect(empty, 'columns that the comparison could not miss').toEqual([])

  await back()
  await on((db) => db.raw('drop schema public cascade; create schema public'))
  await bringBack()
  const { knex_migrations: migrations, sync_epoch: _, ...after } = await everyRow()
  const { knex_migrations: migrated, sync_epoch: __, ...expected } = before
  const emptied = Object.keys(after).filter((table) => after[table]!.length === 0)
  delete expected['daily_sums']
  expect(after['daily_sums'], 'what is restored is counted').not.toHaveLength(0)
  delete after['daily_sums']
  expect(emptied).toEqual([
    'account_links',
    'event_previews',
    'known_browsers',
    'push_subscriptions',
    'rate_limits',
    'sessions',
  ])
  for (const table of emptied) expected[table] = []
  expect(after).toEqual(expected)
  expect(migrations!.map(({ name }) => name)).toEqual(migrated!.map(({ name }) => name))
})

describe('a restore', () => {
  it('replaces nothing unforced, nothing beside the server, and no tables that are not ours', async () => {
    await back()
    await on(async (server) => {
      await server.raw('select 1')
      await expect(bringBack()).rejects.toThrow('in use (beaconry). Stop the server first')
    })
    const before = await content()
    await expect(bringBack()).rejects.toThrow('not empty. Add --force')
    await on((db) => db.raw('drop schema public cascade; create schema public'))
    await bringBack()
    expect(await content()).toEqual(before)
    await on((db) => db.raw('drop schema public cascade; create schema public; create table theirs (id int)'))
    await expect(bringBack({ force: true })).rejects.toThrow('not of Beaconry')
    expect(await on((db) => db.schema.hasTable('theirs'))).toBe(true)
  })

  it('gives out no number that was given out before the backup, also of rows that were deleted', async () => {
    await on((db) => db.raw(`select setval('users_id_seq', 50000)`))
    await back()
    await on((db) => db.raw('drop schema public cascade; create schema public'))
    await bringBack()
    expect(await on((db) => addUser(db, 'late'))).toBeGreaterThan(50_000)
  })

  it('keeps a server that starts meanwhile waiting', async () => {
    await back()
    const written = readFileSync(file)
    rmSync(file)
    execFileSync('mkfifo', [file])
    const restoring = bringBack({ force: true })
    // Opens once the restore begins to read.
    const pipe = await open(file, 'w')
    const isFree = await on((db) => db.raw('select pg_try_advisory_lock(?) as free', [MIGRATION_LOCK]))
    await pipe.writeFile(written)
    await pipe.close()
    await restoring
    expect(isFree.rows).toEqual([{ free: false }])
  })

  it('of a file that is not as it was written changes nothing', async () => {
    await back()
    const whole = readFileSync(file)
    const [before, firstEpoch] = [await content(), await epoch()]
    for (const [change, message] of [
      [(text: string) => text.replace('Otto', 'Odin').replace('otto', 'odin'), 'damaged'],
      [(text: string) => text.slice(0, text.indexOf('sequence')), 'cut off'],
      [(text: string) => text.replace(/table promo_codes\n.*\n/, 'table promo_codes\n'), 'damaged'],
      [(text: string) => text.replace('001-baseline', '999-later'), 'newer Beaconry (999-later)'],
      [() => 'a shopping list\n', 'means nothing'],
    ] as const) {
      writeFileSync(file, whole)
      tamper(change)
      await expect(bringBack({ force: true }), change.toString()).rejects.toThrow(message)
    }
    writeFileSync(file, whole.subarray(0, whole.length - 2_000))
    await expect(bringBack({ force: true })).rejects.toThrow('damaged')
    expect([await content(), await epoch()]).toEqual([before, firstEpoch])
  })
})

it('a backup overwrites no file, and one that fails leaves none behind', async () => {
  await back()
  await expect(back()).rejects.toThrow('exists already')
  await on((db) => db.raw('drop schema public cascade; create schema public'))
  await expect(on((db) => takeBackup(db, `${file}.2`, now))).rejects.toThrow('the database is empty')
  expect(readdirSync(folder)).toEqual(['monday.backup'])
  await expect(on((db) => restoreBackup(db, `${file}.2`, { force: false }))).rejects.toThrow('There is no file')
})

describe('the file that a backup is written to', () => {
  it('is made anew: a link or half a backup in its place is said, and left to its operator', async () => {
    const elsewhere = path.join(folder, 'elsewhere')
    writeFileSync(elsewhere, 'somebody else’s')
    symlinkSync(elsewhere, `${file}.unfinished`)
    await expect(back()).rejects.toThrow(
      `${file}.unfinished is there: a backup is being written, or one was cut off. Look, delete it and try again.`,
    )
    expect(readFileSync(elsewhere, 'utf8')).toBe('somebody else’s')
    rmSync(`${file}.unfinished`)
    writeFileSync(`${file}.unfinished`, 'half', { mode: 0o644 })
    await expect(back()).rejects.toThrow('.unfinished is there')
    expect(readFileSync(`${file}.unfinished`, 'utf8')).toBe('half')
    rmSync(`${file}.unfinished`)
    symlinkSync(path.join(folder, 'not there yet'), file)
    await expect(back()).rejects.toThrow('exists already')
    expect(readdirSync(folder).sort()).toEqual(['elsewhere', 'monday.backup'])
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  it('can be read by its owner alone, while it is written and afterwards', async () => {
    const seen: number[] = []
    const looking = setInterval(() => {
      const stat = statSync(`${file}.unfinished`, { throwIfNoEntry: false })
      if (stat) seen.push(stat.mode & 0o777)
    }, 0)
    const before = process.umask(0)
    await back()
    process.umask(before)
    clearInterval(looking)
    expect(new Set(seen)).toEqual(new Set([0o600]))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

it('npm run backup and npm run restore say what they did, and refuse in plain words', async () => {
  const taken = await runBackup(file)
  expect(taken).toMatchObject({ status: 0, output: expect.stringMatching(/^Backed up \d+ rows of \d+ tables to /) })
  expect(taken.output).toContain('secrets')
  expect(await runRestore(file)).toMatchObject({ status: 1, output: expect.stringContaining('--force') })
  const restored = await runRestore(file, '--force')
  expect(restored.output).toMatch(/^Restored \d+ rows of \d+ tables as of /)
  expect(restored.status).toBe(0)
  expect(readdirSync(folder)).toEqual(['monday.backup'])
})
