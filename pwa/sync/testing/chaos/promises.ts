import type { Knex } from 'knex'
import { stateOf } from '#shared/record/basis.ts'
import { publishEverything } from '../../../../sync-server/app/nouns.ts'
import type { ApplyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import type { Line } from './ledger.ts'
import type { Effect, StoredKey } from './witness.ts'

type Row = Readonly<Record<string, unknown>>

const isDone = (status: number | null) => status !== null && status >= 200 && status < 300

/** Deleting what is gone already is done. */
const countsAsDone = (line: Line, status: number | null) =>
  isDone(status) || (status === 404 && line.mutation === 'delete-event')

/** A change that found its wish fulfilled leaves the state of another one. */
export const isUnchanged = ({ key, status, left_state: left }: StoredKey): boolean =>
  status === 200 && left !== stateOf(key)

/** P4: what a phone has just been told is what the server has stored under that key. Returns what is wrong. */
export function falselyTold(lines: readonly Line[], stored: readonly StoredKey[]): string[] {
  const byKey = new Map(stored.filter(({ refusal }) => refusal !== 'cancelled').map((row) => [row.key, row]))
  return lines.flatMap((line) => {
    const row = byKey.get(line.key)
    const what = `${line.mutation} ${line.key} of ${line.phone}`
    if (line.told === 'acknowledged') {
      if (!row || !countsAsDone(line, row.status))
        return [`false "sent": ${what}, the server has ${row?.status ?? 'nothing'}`]
      return (line.version ?? null) === row.version || row.status === 404
        ? []
        : [`another version than the server's: ${what}`]
    }
    // What names nothing is refused before anything is written.
    if (line.told === 'refused' && line.status === 404 && !row) return []
    return line.told === 'refused' && row?.status !== line.status
      ? [`refused with ${line.status}: ${what}, the server has ${row?.status ?? 'nothing'}`]
      : []
  })
}

/** What is saved on a phone and was never answered. What is behind a refused change falls with its event. */
export function unanswered(lines: readonly Line[]): string[] {
  const eventOf = ({ phone, args }: Line) => `${phone} ${String((args as Row)['eventId'] ?? (args as Row)['id'])}`
  const deleted = new Set(
    lines.filter(({ mutation, told }) => mutation === 'delete-event' && told === 'acknowledged').map(eventOf),
  )
  return lines
    .filter((line) => line.told === 'saved' && !(line.wasBlocked && deleted.has(eventOf(line))))
    .map((line) => `lost: ${line.mutation} ${line.key} of ${line.phone} was never answered`)
}

const fields = (row: Row, ...names: readonly string[]) => names.map((name) => String(row[name])).join(' ')

/** Of what happened: first where, of which there is one, then what. A basis is the state that a change's key leaves. */
const columns: Readonly<Record<string, readonly string[]>> = {
  'applications INSERT': ['event_id', 'email', 'id'],
  'applications UPDATE': ['id', 'basis', 'status'],
  'events INSERT': ['id', 'basis'],
  'events UPDATE': ['id', 'basis'],
  'events DELETE': ['id'],
}

/** What an acknowledged change must have done, in those words. */
function effectOf({ mutation, key, args }: Line): string {
  switch (mutation) {
    case 'apply-as-beacon': {
      const { id, eventId, fields: given } = args as ApplyAsBeacon
      return `applications INSERT ${eventId} ${given.email} ${id}`
    }
    case 'create-event':
      return `events INSERT ${fields(args as Row, 'id')} ${stateOf(key)}`
    case 'delete-event':
      return `events DELETE ${fields(args as Row, 'id')}`
    case 'decide-application':
      return `applications UPDATE ${fields(args as Row, 'applicationId')} ${stateOf(key)} ${fields(args as Row, 'status')}`
    default:
      return `events UPDATE ${fields(args as Row, 'id')} ${stateOf(key)}`
  }
}

/** The texts of a list that come more than once. */
const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)

/**
 * P2: every acknowledged change has exactly its own effect, and there are no others.
 * @param done those that changed something
 */
export function wrongEffects(done: readonly Line[], effects: readonly Effect[]): string[] {
  const told = done.map(effectOf)
  const happened = effects.map(({ relation, operation, line }) => {
    const kind = `${relation} ${operation}`
    const names = columns[kind] ?? []
    return { place: `${kind} ${fields(line, ...names.slice(0, 2))}`, what: `${kind} ${fields(line, ...names)}` }
  })
  const unknown = new Set(happened.map(({ what }) => what))
  const missing = told.filter((what) => !unknown.has(what))
  for (const what of told) unknown.delete(what)
  const isDeletion = (what: string) => what.startsWith('events DELETE')
  return [
    ...repeated(happened.map(({ place }) => place)).map((place) => `duplicate: ${place} happened twice`),
    // Deleting what is gone already is done.
    ...repeated(told.filter((what) => !isDeletion(what))).map((what) => `duplicate: ${what} was acknowledged twice`),
    ...missing.map((what) => `lost: ${what} was acknowledged and never happened`),
    ...[...unknown].map((what) => `duplicate: ${what} happened and belongs to no acknowledged change`),
  ]
}

/**
 * P3: within a lane of a phone the server made the changes in the order of the queue.
 * @param done by seq
 * @param effects in the order in which they happened
 */
export function inversions(done: readonly Line[], effects: readonly Effect[]): string[] {
  const places = new Map(effects.map(({ line }, index) => [String(line['basis']), index]))
  const last = new Map<string, number>()
  return done.flatMap(({ phone, lane, mutation, key }) => {
    const place = places.get(stateOf(key))
    const own = `${phone} ${lane}`
    const before = last.get(own) ?? -1
    if (place === undefined) return []
    last.set(own, Math.max(place, before))
    return place < before ? [`out of order: ${mutation} ${key} in ${own}`] : []
  })
}

/** P6, the server's half: what each audience is shown equals the rows of the tables. */
export async function logAgainstTables(db: Knex): Promise<{ logged: unknown; fromTables: unknown }> {
  const read = async (from: Knex) => {
    const rows = await from('sync_log').where({ deleted: false }).orderBy(['scope', 'collection', 'docId'])
    return rows.map(({ scope, collection, docId, body }) => ({
      scope,
      collection,
      docId,
      document: JSON.parse(body ?? 'null') as unknown,
    }))
  }
  const logged = await read(db)
  const trx = await db.transaction()
  await trx('sync_log').del()
  await publishEverything(trx)
  const fromTables = await read(trx)
  await trx.rollback()
  return { logged, fromTables }
}
