import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { publishEverything } from '../../../../sync-server/events/publish-all.ts'
import type { ApplyAsBeacon } from '../../mutations/apply-as-beacon.ts'
import type { Line } from './ledger.ts'
import type { Effect, StoredKey, Witness } from './witness.ts'

type Where = Readonly<Record<string, unknown>>

const isDone = (status: number | null) => status !== null && status >= 200 && status < 300

/** Deleting what is gone already is done. */
const countsAsDone = (line: Line, status: number | null) => isDone(status) || (status === 404 && line.mutation === 'delete-event')

/** P4: what a phone has just been told is what the server has stored under that key. Answers what is wrong. */
export function falselyTold(lines: readonly Line[], stored: readonly StoredKey[]): string[] {
  const byKey = new Map(stored.filter(({ request_hash }) => request_hash !== 'cancelled').map((row) => [row.key, row]))
  return lines.flatMap((line) => {
    const row = byKey.get(line.key)
    const what = `${line.mutation} ${line.key} of ${line.phone}`
    if (line.told === 'acknowledged') {
      if (!row || !countsAsDone(line, row.status)) return [`false "sent": ${what}, the server has ${row?.status ?? 'nothing'}`]
      if (isDone(row.status) && !isDeepStrictEqual(line.body, row.body === null ? undefined : JSON.parse(row.body))) return [`another answer than the server's: ${what}`]
      return (line.version ?? null) === row.version || row.status === 404 ? [] : [`another version than the server's: ${what}`]
    }
    return line.told === 'refused' && row?.status !== line.status ? [`refused with ${line.status}: ${what}, the server has ${row?.status ?? 'nothing'}`] : []
  })
}

/** The places in a list of keys that come more than once. */
function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>()
  return keys.filter((key) => seen.has(key) || !seen.add(key))
}

/** Both lists hold the same, each once. */
function paired(what: string, told: readonly string[], happened: readonly string[]): string[] {
  const missing = new Set(told)
  const unknown = new Set(happened)
  for (const key of happened) missing.delete(key)
  for (const key of told) unknown.delete(key)
  return [
    ...repeated(happened).map((key) => `duplicate: ${what} ${key} happened twice`),
    ...repeated(told).map((key) => `duplicate: ${what} ${key} was acknowledged to two changes`),
    ...[...missing].map((key) => `lost: ${what} ${key} was acknowledged and never happened`),
    ...[...unknown].map((key) => `duplicate: ${what} ${key} happened and belongs to no acknowledged change`),
  ]
}

const oneToOne = (what: string, lines: readonly Line[], keyOf: (line: Line) => string, effects: readonly Effect[], keyOfEffect: (line: Where) => string) =>
  paired(what, lines.map(keyOf), effects.map(({ line }) => keyOfEffect(line)))

/** P2: every acknowledged change has exactly its own effects, and there are no others. */
export function wrongEffects(lines: readonly Line[], effects: readonly Effect[], deviceIds: ReadonlyMap<string, string>): string[] {
  const done = (name: string) => lines.filter((line) => line.told === 'acknowledged' && line.mutation === name)
  const happened = (relation: string, operation: Effect['operation']) => effects.filter((effect) => effect.relation === relation && effect.operation === operation)
  const bodyOf = (line: Line) => (line.body ?? {}) as Where
  const created = new Set(happened('events', 'INSERT').map(({ line }) => String(line['id'])))
  const updates = happened('events', 'UPDATE')
  const decisions = happened('application_decisions', 'INSERT')
  // A decision that another phone had made already is acknowledged without one of its own.
  const ownDecisions = done('decide-application').filter((line) => Number((line.args as Where)['expectedDecisionNumber']) + 1 === bodyOf(line)['decisionNumber'])
  const decided = new Map(decisions.map(({ line }) => [`${line['application_id']} no. ${line['decision_number']}`, line]))
  return [
    ...oneToOne(
      'application',
      done('apply-as-beacon'),
      (line) => {
        const { token, id, eventId } = bodyOf(line)
        return `${id} for ${eventId} by ${(line.args as ApplyAsBeacon).fields.email} ${createHash('sha256').update(String(token)).digest('base64url')}`
      },
      happened('applications', 'INSERT'),
      (row) => `${row['id']} for ${row['event_id']} by ${row['email']} ${row['status_token_hash']}`,
    ),
    ...repeated(happened('applications', 'INSERT').map(({ line }) => `${line['event_id']} ${line['email']}`)).map((key) => `duplicate: two applications ${key}`),
    ...oneToOne('creation of event', done('create-event'), (line) => String(bodyOf(line)['id']), happened('events', 'INSERT'), (row) => String(row['id'])),
    ...oneToOne(
      'edition',
      [...done('update-event'), ...done('customize-event')],
      (line) => `${bodyOf(line)['id']} no. ${bodyOf(line)['edition']} ${bodyOf(line)['name']} ${bodyOf(line)['customBeaconEmailSubject']}`,
      updates,
      (row) => `${row['id']} no. ${row['edition']} ${row['name']} ${row['custom_beacon_email_subject']}`,
    ),
    ...repeated(updates.map(({ line }) => `${line['id']} no. ${line['edition']}`)).map((key) => `duplicate: edition ${key}`),
    ...paired(
      'deletion of event',
      [...new Set(done('delete-event').map((line) => String((line.args as Where)['id'])))].filter((id) => created.has(id)),
      happened('events', 'DELETE').map(({ line }) => String(line['id'])),
    ),
    ...decisions.flatMap(({ line }) => {
      const claims = ownDecisions.filter((told) => {
        const body = bodyOf(told)
        return body['id'] === line['application_id'] && body['decisionNumber'] === line['decision_number'] && body['status'] === line['to_status'] && deviceIds.get(told.phone) === line['device_id']
      })
      return claims.length === 1 ? [] : [`duplicate: decision ${line['decision_number']} on ${line['application_id']} belongs to ${claims.length} acknowledged changes`]
    }),
    ...done('decide-application').flatMap((line) => {
      const body = bodyOf(line)
      return body['status'] === (line.args as Where)['status'] ? [] : [`lost: a decision on ${body['id']} was acknowledged as ${String(body['status'])}`]
    }),
    ...repeated(decisions.map(({ line }) => `${line['application_id']} no. ${line['decision_number']}`)).map((key) => `duplicate: decision ${key}`),
    ...decisions.flatMap(({ line }) => {
      const before = decided.get(`${line['application_id']} no. ${Number(line['decision_number']) - 1}`)
      return !before || before['to_status'] === line['from_status'] ? [] : [`decision ${line['decision_number']} on ${line['application_id']} was made on another one`]
    }),
    ...paired(
      'mail',
      decisions.map(({ line }) => `decision-mail:${line['application_id']}:${line['decision_number']}`),
      happened('jobs', 'INSERT').filter(({ line }) => line['kind'] === 'decision-mail').map(({ line }) => String(line['key'])),
    ),
  ]
}

/** P3: within a lane of a phone the server answered in the order of the queue. */
export function inversions(lines: readonly Line[], effects: readonly Effect[]): string[] {
  const byKey = new Map(lines.map((line) => [line.key, line]))
  const newest = new Map<string, number>()
  return effects.flatMap(({ relation, line: row }) => {
    const line = relation === 'idempotency_keys' && row['status'] !== null && row['request_hash'] !== 'cancelled' ? byKey.get(String(row['key'])) : undefined
    if (!line) return []
    const lane = `${line.phone} ${line.lane}`
    const last = newest.get(lane) ?? 0
    newest.set(lane, Math.max(last, line.seq))
    return line.seq < last ? [`out of order: ${line.mutation} ${line.key} in ${lane}`] : []
  })
}

/** Every version a scope ever gave out since `start` (scope → version), each once and none left out. */
export function versionGaps(effects: readonly Effect[], start: ReadonlyMap<string, number>, end: ReadonlyMap<string, number>): string[] {
  const given = new Map<string, number[]>()
  for (const { relation, line } of effects) {
    if (relation !== 'sync_log') continue
    const scope = String(line['scope'])
    given.set(scope, [...(given.get(scope) ?? []), Number(line['version'])])
  }
  return [...end].flatMap(([scope, last]) => {
    const first = (start.get(scope) ?? 0) + 1
    const versions = (given.get(scope) ?? []).sort((a, b) => a - b)
    const whole = versions.length === last - first + 1 && versions.every((version, index) => version === first + index)
    return whole ? [] : [`versions of ${scope} are not contiguous from ${first} to ${last}: ${versions.length} given out`]
  })
}

/** P1: nothing that was saved is without an answer, and what was withdrawn did not happen. */
export async function unanswered(lines: readonly Line[], witness: Witness): Promise<string[]> {
  const withdrawn = lines.filter(({ told }) => told === 'withdrawn')
  const stored = await witness.stored(withdrawn.map(({ key }) => key))
  return [
    ...lines.filter(({ told }) => told === 'saved').map((line) => `lost: ${line.mutation} ${line.key} of ${line.phone} was never answered`),
    ...stored.filter(({ status }) => isDone(status)).map(({ key }) => `${key} was withdrawn, but it happened`),
  ]
}

interface LogDocument {
  readonly scope: string
  readonly collection: string
  readonly doc_id: string
  readonly body: string
}

/** P6, the server's half: what each audience is shown equals the rows of the tables. */
export async function logAgainstTables(db: Knex): Promise<{ logged: unknown; fromTables: unknown }> {
  const read = async (from: Knex) => {
    const rows: LogDocument[] = await from('sync_log').where({ deleted: false }).orderBy(['scope', 'collection', 'doc_id'])
    return rows.map(({ scope, collection, doc_id, body }) => ({ scope, collection, doc_id, document: JSON.parse(body) as unknown }))
  }
  const logged = await read(db)
  const trx = await db.transaction()
  await trx('sync_log').del()
  await publishEverything(trx)
  const fromTables = await read(trx)
  await trx.rollback()
  return { logged, fromTables }
}
