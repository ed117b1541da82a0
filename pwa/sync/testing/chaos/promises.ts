import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { publishEverything } from '../../../../sync-server/app/nouns.ts'
import type { ApplyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import type { Line } from './ledger.ts'
import type { Effect, StoredKey, Witness } from './witness.ts'

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

const oneToOne = (
  what: string,
  lines: readonly Line[],
  keyOf: (line: Line) => string,
  effects: readonly Effect[],
  keyOfEffect: (row: Row) => string,
) =>
  paired(
    what,
    lines.map(keyOf),
    effects.map(({ line }) => keyOfEffect(line)),
  )

const fields = (row: Row, ...names: readonly string[]) => names.map((name) => String(row[name])).join(' ')
const bodyOf = (line: Line) => (line.body ?? {}) as Row
const argsOf = (line: Line) => line.args as Row

/** P2: every acknowledged change has exactly its own effects, and there are no others. */
export function wrongEffects(
  lines: readonly Line[],
  effects: readonly Effect[],
  deviceIds: ReadonlyMap<string, string>,
  /** Keys of changes that changed nothing. */
  unchanged: ReadonlySet<string>,
): string[] {
  const done = (name: string) => lines.filter((line) => line.told === 'acknowledged' && line.mutation === name)
  const happened = (relation: string, operation: Effect['operation']) =>
    effects.filter((effect) => effect.relation === relation && effect.operation === operation)
  const created = new Set(happened('events', 'INSERT').map(({ line }) => fields(line, 'id')))
  const applications = happened('applications', 'INSERT')
  const updates = happened('events', 'UPDATE')
  return [
    ...oneToOne(
      'application',
      done('apply-as-beacon'),
      (line) => {
        // The answer's token proves that the answer belongs to this very row.
        const tokenHash = createHash('sha256')
          .update(fields(bodyOf(line), 'token'))
          .digest('base64url')
        return `${fields(bodyOf(line), 'id', 'eventId')} ${(line.args as ApplyAsBeacon).fields.email} ${tokenHash}`
      },
      applications,
      (row) => fields(row, 'id', 'event_id', 'email', 'status_token_hash'),
    ),
    ...repeated(applications.map(({ line }) => fields(line, 'event_id', 'email'))).map(
      (key) => `duplicate: two applications ${key}`,
    ),
    ...oneToOne(
      'creation of event',
      done('create-event'),
      (line) => fields(bodyOf(line), 'id'),
      happened('events', 'INSERT'),
      (row) => fields(row, 'id'),
    ),
    ...oneToOne(
      'edition',
      [...done('update-event'), ...done('customize-event')],
      (line) => fields(bodyOf(line), 'id', 'edition', 'name', 'customBeaconEmailSubject'),
      updates,
      (row) => fields(row, 'id', 'edition', 'name', 'custom_beacon_email_subject'),
    ),
    ...repeated(updates.map(({ line }) => fields(line, 'id', 'edition'))).map((key) => `duplicate: edition ${key}`),
    ...paired(
      'deletion of event',
      [...new Set(done('delete-event').map((line) => fields(argsOf(line), 'id')))].filter((id) => created.has(id)),
      happened('events', 'DELETE').map(({ line }) => fields(line, 'id')),
    ),
    ...wrongDecisions(
      done('decide-application').filter(({ key }) => !unchanged.has(key)),
      happened('application_decisions', 'INSERT'),
      deviceIds,
    ),
    ...paired(
      'mail',
      happened('application_decisions', 'INSERT').map(
        ({ line }) => `decision-mail:${fields(line, 'application_id')}:${fields(line, 'decision_number')}`,
      ),
      happened('jobs', 'INSERT')
        .map(({ line }) => fields(line, 'key'))
        .filter((key) => key.startsWith('decision-mail:')),
    ),
  ]
}

/** A decision that was made already, here or on another phone, is acknowledged without a second one: several may name it. */
function wrongDecisions(
  told: readonly Line[],
  decisions: readonly Effect[],
  deviceIds: ReadonlyMap<string, string>,
): string[] {
  const byPlace = new Map(decisions.map(({ line }) => [fields(line, 'application_id', 'decision_number'), line]))
  const claimed = new Set(
    told.map((line) => `${fields(bodyOf(line), 'id', 'decisionNumber', 'status')} ${deviceIds.get(line.phone)}`),
  )
  return [
    ...repeated(decisions.map(({ line }) => fields(line, 'application_id', 'decision_number'))).map(
      (place) => `duplicate: decision ${place}`,
    ),
    ...decisions.flatMap(({ line }) => {
      const place = fields(line, 'application_id', 'decision_number')
      const before = byPlace.get(`${fields(line, 'application_id')} ${Number(line['decision_number']) - 1}`)
      return [
        ...(claimed.has(fields(line, 'application_id', 'decision_number', 'to_status', 'device_id'))
          ? []
          : [`duplicate: decision ${place} belongs to no acknowledged change`]),
        // One that changed the decision before it within its hold took that one's line.
        ...(before && ![before['to_status'], before['from_status']].includes(line['from_status'])
          ? [`decision ${place} was not made on the one before`]
          : []),
      ]
    }),
    ...told.flatMap((line) => {
      const decision = byPlace.get(fields(bodyOf(line), 'id', 'decisionNumber'))
      const isThere = decision
        ? decision['to_status'] === argsOf(line)['status']
        : bodyOf(line)['status'] === argsOf(line)['status']
      return isThere
        ? []
        : [`lost: decision ${fields(bodyOf(line), 'id', 'decisionNumber')} was acknowledged and is another one`]
    }),
  ]
}

/** P3: within a lane of a phone the server made the changes in the order of the queue. */
export function inversions(lines: readonly Line[], effects: readonly Effect[]): string[] {
  const byKey = new Map(lines.map((line) => [line.key, line]))
  const newest = new Map<string, { seq: number; transaction: string }>()
  const counts = new Map<string, number>()
  const wrong: string[] = []
  for (const { relation, transaction, line: row } of effects) {
    const line =
      relation === 'idempotency_keys' && row['status'] !== null && row['request_hash'] !== 'cancelled'
        ? byKey.get(fields(row, 'key'))
        : undefined
    if (!line) continue
    const lane = `${line.phone} ${line.lane}`
    const last = newest.get(lane)
    // Those of one transaction are stored by one statement, in no order; their results tell more.
    if (last && line.seq < last.seq && transaction !== last.transaction)
      wrong.push(`out of order: ${line.mutation} ${line.key} in ${lane}`)
    if (!last || line.seq > last.seq) newest.set(lane, { seq: line.seq, transaction })
  }
  const acknowledged = lines.filter((line) => line.told === 'acknowledged')
  for (const line of acknowledged.toSorted((a, b) => a.seq - b.seq)) {
    const lane = `${line.phone} ${line.lane}`
    const count = Number(bodyOf(line)['edition'] ?? bodyOf(line)['decisionNumber'] ?? 0)
    const last = counts.get(lane) ?? 0
    if (count > 0 && count < last)
      wrong.push(`out of order: ${line.mutation} ${line.key} in ${lane} counts ${count} after ${last}`)
    if (count > 0) counts.set(lane, count)
  }
  return wrong
}

/** Every version a scope ever gave out since `start` (scope → version), each once and none left out. */
export function versionGaps(
  effects: readonly Effect[],
  start: ReadonlyMap<string, number>,
  end: ReadonlyMap<string, number>,
): string[] {
  const given = new Map<string, number[]>()
  for (const { relation, line } of effects) {
    if (relation !== 'sync_log') continue
    const scope = fields(line, 'scope')
    given.set(scope, [...(given.get(scope) ?? []), Number(line['version'])])
  }
  return [...end].flatMap(([scope, last]) => {
    const first = (start.get(scope) ?? 0) + 1
    const versions = (given.get(scope) ?? []).sort((a, b) => a - b)
    const whole = versions.length === last - first + 1 && versions.every((version, index) => version === first + index)
    return whole
      ? []
      : [`versions of ${scope} are not contiguous from ${first} to ${last}: ${versions.length} given out`]
  })
}

/** P1: nothing that was saved is without an answer, and what was withdrawn did not happen. */
export async function unanswered(lines: readonly Line[], witness: Witness): Promise<string[]> {
  const withdrawn = lines.filter(({ told }) => told === 'withdrawn')
  const stored = await witness.stored(withdrawn.map(({ key }) => key))
  return [
    ...lines
      .filter(({ told }) => told === 'saved')
      .map((line) => `lost: ${line.mutation} ${line.key} of ${line.phone} was never answered`),
    ...stored.filter(({ status }) => isDone(status)).map(({ key }) => `${key} was withdrawn, but it happened`),
  ]
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
