import type { Knex } from 'knex'
import type { EventFields } from '#shared/events/event.ts'
import { eventRecord } from '#shared/events/event-record.ts'
import { asWallClock } from '#shared/time/event-time.ts'
import { columnsOf } from '../db/column-names.ts'
import { isExpectedRow } from '../db/expected-beacon.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { EventPlace } from './event-place.ts'
import { newKeyPair } from '../db/key-pair.ts'

export async function findEvent(db: Knex, eventId: number): Promise<EventRow | undefined> {
  return await db('events').where({ id: eventId }).first()
}

/** For changes of the event or its public parts, which take turns. Applications can still be added. */
export async function findEventForChange(trx: Knex, eventId: number): Promise<EventRow | undefined> {
  return await trx('events').where({ id: eventId }).forNoKeyUpdate().first()
}

/** Serves transactions that rely on its state until they end; the lock is shared. Hidden events are not found. */
export async function findEventForShare(trx: Knex, eventId: number): Promise<EventRow | undefined> {
  return await visible(trx, eventId).forShare().first()
}

/** A visible event is neither taken down, nor of a closed account, nor hidden by its organizer. */
export async function isVisible(db: Knex, eventId: number): Promise<boolean> {
  return (await visible(db, eventId).first('id')) !== undefined
}

function visible(db: Knex, eventId: number) {
  const isClosed = db('users').whereRaw('users.id = events.organizer_id').whereNotNull('closedAt').select(db.raw('1'))
  return db('events')
    .where({ id: eventId, takenDownAt: null })
    .whereRaw(`visibility is distinct from 'hidden'`)
    .whereNotExists(isClosed)
}

export type EventColumns = Partial<Omit<EventRow, 'id' | 'customQuestions' | 'askedQuestions'>> & {
  id?: number
  customQuestions?: string
  askedQuestions?: string
}

export function eventColumns(fields: EventFields, place: EventPlace): EventColumns {
  const closeAt = fields.applicationsCloseAt && asWallClock(fields.applicationsCloseAt, place.timeZone)
  return { ...columnsOf(eventRecord, { ...fields, applicationsCloseAt: closeAt }), ...place }
}

/** An application that is older than this many questions is no longer on its way. */
const maxAskedQuestions = 100

/** Earlier questions stay: applications written before may still be on their way. */
export function askedColumns(row: EventRow, questions: readonly string[]): Pick<EventColumns, 'askedQuestions'> {
  const asked = [...new Set([...row.customQuestions, ...row.askedQuestions])]
  const before = asked.filter((question) => !questions.includes(question)).slice(0, maxAskedQuestions)
  return { askedQuestions: JSON.stringify(before) }
}

/** A change to these values would do nothing. */
export function isAlready(row: EventRow, columns: EventColumns): boolean {
  return Object.entries(columns).every(
    ([name, wished]) => comparable(row[name as keyof EventRow]) === comparable(wished),
  )
}

function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return Array.isArray(value) ? JSON.stringify(value) : value
}

/** @returns undefined where the id is taken */
export async function insertEvent(
  trx: Knex,
  organizerId: number,
  columns: EventColumns,
  now: Date,
): Promise<EventRow | undefined> {
  const [row] = await trx('events')
    .insert({ ...columns, ...newKeyPair(), organizerId, createdAt: now, updatedAt: now })
    .onConflict('id')
    .ignore()
    .returning('*')
  return row
}

export async function changeEvent(trx: Knex, eventId: number, columns: EventColumns, now: Date): Promise<EventRow> {
  const [row] = await trx('events')
    .where({ id: eventId })
    .update({ ...columns, updatedAt: now })
    .returning('*')
  if (!row) throw new Error(`Event ${eventId} vanished while it was locked`)
  return row
}

export interface ApprovedCounts {
  readonly approvedCount: number
  /** Leaves out those who stay away: the others take the places. */
  readonly expectedCount: number
  /** Guests see these, so that walk-ins are left out, too. */
  readonly beaconCount: number
}

export interface ApplicationCounts extends ApprovedCounts {
  readonly pendingCount: number
}

/** SQL: the public does not see event `e` of user `u`. */
export const isHiddenSql = `(e.taken_down_at is not null or u.closed_at is not null or e.visibility is not distinct from 'hidden')`

/** Gives the columns of `ApprovedCounts` over rows of applications. */
export const countedApproved = `
  (count(*) filter (where status = 'approved'))::int as approved_count,
  (count(*) filter (where status = 'approved' and ${isExpectedRow}))::int as expected_count,
  (count(*) filter (where status = 'approved' and ${isExpectedRow} and not walked_in))::int as beacon_count`

const noApplications: ApplicationCounts = { approvedCount: 0, pendingCount: 0, expectedCount: 0, beaconCount: 0 }

export async function countApplications(
  db: Knex,
  eventIds: readonly number[],
): Promise<(eventId: number) => ApplicationCounts> {
  const { rows } = await db.raw<{ rows: (ApplicationCounts & { eventId: number })[] }>(
    `select event_id, ${countedApproved}, (count(*) filter (where status = 'pending'))::int as pending_count
     from applications where event_id = any(?) group by event_id`,
    [eventIds as unknown as Knex.Value],
  )
  const counts = new Map(rows.map(({ eventId, ...counted }) => [eventId, counted]))
  return (eventId) => counts.get(eventId) ?? noApplications
}

/**
 * Until the transaction ends, others wait: the last to present an event has counted what all before it wrote. Events
 * are taken by id, so that no two wait for each other.
 */
export async function takeTurnsPresenting(trx: Knex, eventIds: readonly number[]): Promise<void> {
  await trx.raw(
    `select pg_advisory_xact_lock(hashtextextended('presenting event ' || id, 0))
     from (select id from unnest(?::bigint[]) as given (id) order by id) as ordered`,
    [eventIds as unknown as Knex.Value],
  )
}

/** Counts approved ones who are not known to stay away. */
export async function countExpected(db: Knex, eventId: number): Promise<number> {
  return (await countApplications(db, [eventId]))(eventId).expectedCount
}

const byStart = `start_date, plain_text(name) collate "C", id`

/** The nearest start comes first. */
export async function listEventIdsOf(db: Knex, organizerId: number): Promise<number[]> {
  return await db('events').where({ organizerId }).orderByRaw(byStart).pluck('id')
}

export async function listEventsOf(db: Knex, organizerId: number, ids: readonly number[]): Promise<EventRow[]> {
  return await db('events')
    .where({ organizerId })
    .whereRaw('id = any(?::bigint[])', [ids as unknown as Knex.Value])
    .orderByRaw(byStart)
}
