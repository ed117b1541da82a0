import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Phones of earlier versions, as those versions themselves wrote them. Under `recorded/` each version has a folder, which is
 * named by the day of its recording; it belongs to the recorded database of the same day (`sync-server/testing/recorded-version.ts`),
 * whose server the phones spoke to. The version's own outbox, replica and drafts worked on IndexedDB, with a network that was cut
 * off when the story asked for it: so every kind of change came to stand in every state that it can be in. Then the whole of
 * IndexedDB was written down.
 *
 * - `visitor-phone.ndjson`: nobody is signed in on it. Its changes are queued, tried once, left behind in a request (some of which
 *   had arrived), refused, and blocked behind those; receipts are kept of others.
 * - `organizer-phone-….ndjson`: Olivia's, in the same states and besides held, given up, acknowledged and settled. Otto used it
 *   before her, and his changes wait for him to sign in. Its copy of the server's documents is of before the latest changes.
 * - `end.ndjson`: what the old version came to, when it went on from there by itself on the old server: the rows, the mails that
 *   arrived, and what was left on the phones.
 *
 * A recording is never edited, whatever becomes of the code: people have such phones. Recordings are only added: a later version
 * gets a folder of its own, in which the same people have done the same and whatever is new.
 */
const folder = fileURLToPath(new URL('./recorded/', import.meta.url))

/** What is to be known of the phones besides what they keep. */
export interface AboutPhones {
  /** Their clock when they were recorded, in milliseconds since the epoch. */
  readonly phoneClock: number
  readonly visitorDeviceId: string
  readonly organizerDeviceId: string
}

interface RecordedTable {
  readonly table: string
  readonly keyPath: string
  readonly autoIncrement: boolean
  readonly indexes: readonly {
    readonly name: string
    readonly keyPath: string | string[]
    readonly unique: boolean
    readonly multiEntry: boolean
  }[]
  readonly rows: Record<string, unknown>[]
}

/** A database of IndexedDB with everything in it. */
interface RecordedDatabase {
  readonly database: string
  readonly version: number
  readonly tables: RecordedTable[]
}

export type RecordedPhone = readonly RecordedDatabase[]

export const aboutPhones = (version: string): AboutPhones =>
  JSON.parse(readFileSync(path.join(folder, version, 'about.json'), 'utf8')) as AboutPhones

function linesOf(version: string, name: RegExp): Record<string, unknown>[] {
  const names = readdirSync(path.join(folder, version)).filter((file) => name.test(file))
  const text = names.toSorted().map((file) => readFileSync(path.join(folder, version, file), 'utf8'))
  return text
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export function recordedPhone(version: string, whose: 'visitor' | 'organizer'): RecordedPhone {
  const databases: RecordedDatabase[] = []
  for (const line of linesOf(version, new RegExp(`^${whose}-phone(-\\d+)?\\.ndjson$`))) {
    if ('database' in line) databases.push({ ...(line as unknown as RecordedDatabase), tables: [] })
    else if ('table' in line) databases.at(-1)?.tables.push({ ...(line as unknown as RecordedTable), rows: [] })
    else
      databases
        .at(-1)
        ?.tables.at(-1)
        ?.rows.push(line['row'] as Record<string, unknown>)
  }
  return databases
}

/** The rows of a table as they were recorded. */
export function recordedRows<T>(phone: RecordedPhone, database: string, table: string): T[] {
  const found = phone.find((one) => one.database === database)?.tables.find((one) => one.table === table)
  if (!found) throw new Error(`The phone has no table ${table} in ${database}`)
  return found.rows as T[]
}

/** What the old version came to, of one kind: `events`, `applications`, `decisions`, `mails`, `arrived`, `left olivia` … */
export const endOf = (version: string, kind: string): unknown[] =>
  linesOf(version, /^end\.ndjson$/).flatMap((line) => (kind in line ? [line[kind]] : []))

/** Makes this process's IndexedDB the phone's: nothing else is in it then. Whoever has a database open loses it. */
export async function layOut(phone: RecordedPhone): Promise<void> {
  for (const { name } of await indexedDB.databases()) await done(indexedDB.deleteDatabase(name!))
  for (const { database, version, tables } of phone) {
    const opening = indexedDB.open(database, version)
    opening.onupgradeneeded = () => {
      for (const { table, keyPath, autoIncrement, indexes } of tables) {
        const made = opening.result.createObjectStore(table, { keyPath, autoIncrement })
        for (const { name, keyPath: indexed, ...kind } of indexes) made.createIndex(name, indexed, kind)
      }
    }
    const opened = await done(opening)
    for (const { table, rows } of tables)
      for (const row of rows) await done(opened.transaction(table, 'readwrite').objectStore(table).put(row))
    opened.close()
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'))
  })
}
