import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Knex } from 'knex'
import { namedAsStored } from '../db/column-names.ts'
import { migrate, migrateWithin } from '../db/migrate.ts'
import { migrationSource } from '../db/migrations/migrations.ts'
import { readBackup, type BackupLine } from '../scripts/commands/backup-file.ts'

/**
 * Databases of earlier versions, as those versions themselves wrote them. Under `recorded/` each version has a folder, which is
 * named by the day of its recording. Its server ran on an empty database while made-up people used it over HTTP: Olivia and Otto
 * organize, Bea, Ben, Bo and Ada apply, and two phones (`pwa/outbox/testing/recorded-phone.ts`) had sent a part of their queues.
 * Then the following was written down.
 *
 * - `database-….txt`: what its own `npm run backup` wrote, unpacked and cut into pieces between two lines.
 * - `left-out.ndjson`: the rows of the tables that a backup leaves out: sessions, known browsers, links in mails, alerts.
 * - `pulled.ndjson`: every document that it answered to a first pull of Olivia and of Otto.
 * - `answered.ndjson`: changes of the two phones as they came in a request, each with the line that it answered.
 *
 * A recording is never edited, whatever becomes of the code: people have such databases. Recordings are only added: a later
 * version gets a folder of its own, in which the same people have done the same and whatever is new. The keys, sessions and passwords in it belong to an installation that was thrown away.
 */
const folder = fileURLToPath(new URL('./recorded/', import.meta.url))

/** The days of the recordings, oldest first. */
export const recordedVersions: readonly string[] = readdirSync(folder).toSorted()

/** What is to be known of a recording besides its rows. */
export interface AboutRecording {
  readonly takenAt: string
  readonly epoch: string
  readonly oliviaId: number
  readonly ottoId: number
  /** Of both. */
  readonly password: string
  /** What the browser of Olivia's phone sends with every request. */
  readonly oliviaCookie: string
  /** The phone on which nobody is signed in. */
  readonly visitorDeviceId: string
}

/** A change as it came in a request of a phone, and the line that the version answered. */
export interface Answered {
  readonly account: number | null
  readonly asked: { readonly key: string; readonly route: string }
  readonly answer: { readonly key: string; readonly status: number; readonly version?: number; readonly body?: unknown }
}

export const aboutRecording = (version: string): AboutRecording =>
  JSON.parse(readFileSync(path.join(folder, version, 'about.json'), 'utf8')) as AboutRecording

export const answeredOf = (version: string): Answered[] => linesOf(version, 'answered.ndjson') as Answered[]

/** The documents that somebody's first pull of a collection brought, by their keys. */
export function pulledOf(
  version: string,
  who: 'olivia' | 'otto',
  collection: string,
): Record<string, Record<string, unknown>> {
  const lines = linesOf(version, 'pulled.ndjson') as Record<string, { key: string }>[]
  const documents = lines.flatMap((line) => line[`${who} ${collection}`] ?? [])
  return Object.fromEntries(documents.map((document) => [document.key, document]))
}

function linesOf(version: string, name: string): unknown[] {
  const text = readFileSync(path.join(folder, version, name), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

/** Hands over the recorded backup as the file that it was, which is gone afterwards. */
export async function withRecordedBackup<T>(version: string, work: (file: string) => Promise<T>): Promise<T> {
  const names = readdirSync(path.join(folder, version)).filter((name) => /^database-\d+\.txt$/.test(name))
  const text = names.toSorted().map((name) => readFileSync(path.join(folder, version, name), 'utf8'))
  const made = mkdtempSync(path.join(os.tmpdir(), 'beaconry-recorded-'))
  const file = path.join(made, 'backup')
  try {
    writeFileSync(file, gzipSync(text.join('')))
    return await work(file)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Takes everything out of a test's database, its tables too. */
export async function emptyDatabase(db: Knex): Promise<void> {
  await db.raw('drop schema public cascade; create schema public')
}

/**
 * Makes an empty database the one that the version worked on, with its tables, rows and sequences, and brings it up to date as
 * a start of the present server does. Answers the names of the migrations that this took.
 */
export async function openAsItWas(db: Knex, version: string): Promise<string[]> {
  await withRecordedBackup(version, (file) => db.transaction((trx) => load(trx, version, file)))
  return await migrate(db)
}

async function load(trx: Knex.Transaction, version: string, file: string): Promise<void> {
  let table = ''
  const insert = async (json: string) =>
    void (await trx.raw('insert into ?? select * from json_populate_record(null::??, ?::json)', [table, table, json]))
  await readBackup(file, async (line: BackupLine) => {
    if (line.kind === 'head') await migrateTo(trx, line.migrations)
    if (line.kind === 'row') await insert(line.json)
    if (line.kind === 'sequence')
      await trx.raw('select setval(?::regclass, ?::bigint)', [`public.${line.sequence}`, line.lastValue])
    if (line.kind !== 'table') return
    table = line.table
    // What the migrations themselves put there.
    if (await trx.from(table).first()) await trx.from(table).del()
  })
  for (const line of linesOf(version, 'left-out.ndjson') as { table?: string; row?: object }[]) {
    table = line.table ?? table
    if (line.row) await insert(JSON.stringify(line.row))
  }
  // The row names the PostgreSQL it was recorded on; here that database is to be this one.
  await trx('sync_epoch').update({ databaseIdentity: null })
}

/** The tables as they were, by the migrations that the version knew. */
async function migrateTo(trx: Knex.Transaction, names: readonly string[]): Promise<void> {
  const then = (await migrationSource.getMigrations([])).filter(({ name }) => names.includes(name))
  await migrateWithin(trx, { ...migrationSource, getMigrations: async () => then })
}

/**
 * What people made of everything: without numbers and instants that differ from one run to the next, under the names that the
 * recordings have for it.
 */
export async function truthOf(db: Knex): Promise<Record<'events' | 'applications' | 'decisions' | 'mails', object[]>> {
  const events = await db('events')
    .orderBy('id')
    .select('id', 'organizerId', 'name', 'description', 'beaconInstructions', 'customQuestions')
    .select('customBeaconEmailBody', 'showDefaultQuestions', 'edition')
  const applications = await db('applications')
    .orderBy(['email', 'eventId'])
    .select('eventId', 'email', 'firstName', 'lastName', 'company', 'status', 'decisionNumber', 'note', 'starred')
    .select(
      db.raw(`(select coalesce(json_agg(n->>'note'), '[]') from jsonb_array_elements(other_notes) n) as other_notes`),
      db.raw('approved_as is not null as changed_since_approved'),
      db.raw('arrived_at is not null as has_arrived'),
    )
  const decisions = await db('application_decisions as d')
    .join('applications as a', 'a.id', 'd.applicationId')
    .orderBy(['a.email', 'd.decisionNumber'])
    .select('a.email', 'd.decisionNumber as number', 'd.fromStatus as from', 'd.toStatus as to')
    .select('d.deviceName as device')
  const mails = await db('mails')
    .orderBy(['kind', 'toAddress', 'key'])
    .select('kind', 'toAddress as to', 'state', 'retries')
  return {
    events: events.map(namedAsStored),
    applications: applications.map(namedAsStored),
    decisions: decisions.map(namedAsStored),
    mails: mails.map(namedAsStored),
  }
}
