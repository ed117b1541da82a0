import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { publishEverything } from '../../../../sync-server/app/nouns.ts'
import type { ApplyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import type { Line } from './ledger.ts'
import type { Effect, StoredKey } from './witness.ts'

type Row = Readonly<Record<string, unknown>>

const isDone = (status: number | null) => status !== null && status >= 200 && status < 300

/** Deleting what is gone already is done. */
const countsAsDone = (line: Line, status: number | null) =>
  isDone(status) || (status === 404 && line.mutation === 'delete-event')

/** A change that changed nothing keeps status and version alone; asked again it is answered with the present document. */
export const isUnchanged = ({ status, body }: StoredKey): boolean => status === 200 && body === null

/** P4: what a phone has just been told is what the server has stored under that key. Answers what is wrong. */
export function falselyTold(lines: readonly Line[], stored: readonly StoredKey[]): string[] {
  const byKey = new Map(stored.filter(({ request_hash }) => request_hash !== 'cancelled').map((row) => [row.key, row]))
  return lines.flatMap((line) => {
    const row = byKey.get(line.key)
    const what = `${line.mutation} ${line.key} of ${line.phone}`
    if (line.told === 'acknowledged') {
      if (!row || !countsAsDone(line, row.status))
        return [`false "sent": ${what}, the server has ${row?.status ?? 'nothing'}`]
      if (
        isDone(row.status) &&
        !isUnchanged(row) &&
        !isDeepStrictEqual(line.body, row.body === null ? undefined : JSON.parse(row.body))
      )
        return [`another answer than the server's: ${what}`]
      return (line.version ?? null) === row.version || row.status === 404
        ? []
        : [`another version than the server's: ${what}`]
    }
    // What names nothing is refused before anything is written. One that had changed nothing, and whose answer was lost, may
    // find gone what it would be answered with.
    if (line.told === 'refused' && line.status === 404 && (!row || isUnchanged(row))) return []
    return line.told === 'refused' && row?.status !== line.status
      ? [`refused with ${line.status}: ${what}, the server has ${row?.status ?? 'nothing'}`]
      : []
  })
}

const fields = (row: Row, ...names: readonly string[]) => names.map((name) => String(row[name])).join(' ')
const bodyOf = (line: Line) => (line.body ?? {}) as Row

/** Of what happened: first where, of which there is one, then what. */
const columns: Readonly<Record<string, readonly string[]>> = {
  'applications INSERT': ['event_id', 'email', 'id', 'status_token_hash'],
  'events INSERT': ['id'],
  'events UPDATE': ['id', 'edition', 'name', 'custom_beacon_email_subject'],
  'events DELETE': ['id'],
  'application_decisions INSERT': ['application_id', 'decision_number', 'to_status', 'device_id'],
}

/** What an acknowledged change must have done, in those words. */
function effectOf(line: Line, deviceId: string): string {
  const body = bodyOf(line)
  switch (line.mutation) {
    case 'apply-as-beacon': {
      // The answer's token proves that the answer belongs to this very row.
      const tokenHash = createHash('sha256').update(fields(body, 'token')).digest('base64url')
      const { email } = (line.args as ApplyAsBeacon).fields
      return `applications INSERT ${fields(body, 'eventId')} ${email} ${fields(body, 'id')} ${tokenHash}`
    }
    case 'create-event':
      return `events INSERT ${fields(body, 'id')}`
    case 'delete-event':
      return `events DELETE ${fields(line.args as Row, 'id')}`
    case 'decide-application':
      return `application_decisions INSERT ${fields(body, 'id', 'decisionNumber', 'status')} ${deviceId}`
    default:
      return `events UPDATE ${fields(body, 'id', 'edition', 'name', 'customBeaconEmailSubject')}`
  }
}

/** The texts of a list that come more than once. */
const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)

/**
 * P2: every acknowledged change has exactly its own effect, and there are no others.
 * @param done those that changed something
 */
export function wrongEffects(
  done: readonly Line[],
  effects: readonly Effect[],
  deviceIds: ReadonlyMap<string, string>,
): string[] {
  const told = done.map((line) => effectOf(line, deviceIds.get(line.phone) ?? ''))
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

/** P3: within a lane of a phone the server made the changes in the order of the queue. @param done by seq */
export function inversions(done: readonly Line[]): string[] {
  const counts = new Map<string, number>()
  return done.flatMap((line) => {
    const lane = `${line.phone} ${line.lane}`
    const count = Number(bodyOf(line)['edition'] ?? bodyOf(line)['decisionNumber'] ?? 0)
    const last = counts.get(lane) ?? 0
    if (count > last) counts.set(lane, count)
    return count > 0 && count < last
      ? [`out of order: ${line.mutation} ${line.key} in ${lane} counts ${count} after ${last}`]
      : []
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
