import { columnOf, columnsOf, toCamelCase, relation, type Writing } from '../db/column-names.ts'
import { applicationRecord } from '#shared/applications/application-record.ts'
import { namesOf } from '#shared/record/record.ts'
import type { Knex } from 'knex'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { isExpectedRow } from '../db/expected-beacon.ts'
import { isHiddenSql } from '../events/event-store.ts'
import { openingsFrom } from '../events/opening.ts'
import { queueJobsFrom } from '../jobs/job-store.ts'
import { type NewMail, queueMailsFrom } from '../mail/mail-store.ts'
import { decisionPushesFrom } from './alerts/decision-news.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { ApplicationDecisionRow, ApplicationRow } from '../db/rows/application-rows.ts'
import { runPrepared } from '../db/prepared.ts'

export type DecisionLine = Omit<ApplicationDecisionRow, 'id'>

/** The latest decisions come with it, oldest first. */
export interface DecidedApplication {
  readonly row: ApplicationRow
  readonly decisions: readonly DecisionLine[]
}

/** A second thought can stop the mail (product decision). */
export const mailHoldMs = 60_000

const latest = 5

/** The event's organizer comes with it, and whether the event's applications were archived or deleted for their age. */
export type OwnedApplication = ApplicationRow & { readonly organizerId: number; readonly wasCleanedUp: boolean }

/** The public's view of it depends on these, too; `isHidden` is true at events that the public does not see. */
export interface ShownApplication extends DecidedApplication {
  readonly isHidden: boolean
  readonly postsFor: EventRow['postsFor']
}

type ShownColumns = Omit<ShownApplication, keyof DecidedApplication>

export interface ToDecideOn extends ShownApplication {
  readonly row: OwnedApplication
}

// Listed: PostgreSQL refuses a prepared `select *` once a newer server has added a column.
const ownColumns = {
  id: true,
  eventId: true,
  status: true,
  basis: true,
  decisionNumber: true,
  decidedAt: true,
  decidedDay: true,
  decidedTimes: true,
  withdrawnAt: true,
  note: true,
  starred: true,
  noteAt: true,
  noteDevice: true,
  noteBy: true,
  otherNotes: true,
  approvedAs: true,
  arrivedAt: true,
  presence: true,
  coming: true,
  cameFrom: true,
  sentLate: true,
  walkedIn: true,
  post: true,
  faceHash: true,
  archived: true,
  linkOpenedAt: true,
  termsAcceptedAt: true,
  termsVersion: true,
  statusTokenHash: true,
  createdAt: true,
} satisfies Record<Exclude<keyof ApplicationRow, keyof ApplicationFields>, true>
const applicationColumns = [...Object.keys(ownColumns), ...namesOf(applicationRecord)]
  .map((name) => `a.${columnOf(name)}`)
  .join(', ')

/** This SQL gives the latest decisions of application `a` as JSON, oldest first. */
const latestDecisions = `(select json_agg(d order by d.decision_number) from (
  select * from application_decisions where application_id = a.id order by decision_number desc limit ${latest}
) d)`

/**
 * Finds them by id, locked with their events until the transaction ends; with `organizerId` only that organizer's. The
 * event is locked first, as its deletion does, and shared. Rows that had to be waited for come as they are now, but
 * whether the organizer's account is closed comes as it was when the statement began. Decisions are read afterwards,
 * because a member who decided may have been forgotten in the meantime.
 */
export async function findToDecideOn(
  trx: Knex,
  applicationIds: readonly number[],
  organizerId: number | null = null,
): Promise<ReadonlyMap<number, ToDecideOn>> {
  const asked = relation(
    'g',
    applicationIds.map((id) => ({ id })),
    { id: 'bigint' },
  )
  const rows = await runPrepared<OwnedApplication & ShownColumns>(
    trx,
    `find-to-decide-on-${asked.shape}`,
    `select ${applicationColumns}, e.organizer_id, coalesce(e.archived_for, e.purged_for) is not null as was_cleaned_up,
         ${isHiddenSql} as is_hidden, e.posts_for
       from ${asked.sql} join applications a using (id) join events e on e.id = a.event_id join users u on u.id = e.organizer_id
       where e.organizer_id = coalesce(?, e.organizer_id) order by a.id for share of e for update of a`,
    [...asked.bindings, organizerId],
  )
  const decided = rows.flatMap(({ id, decisionNumber }) => (decisionNumber > 0 ? [id] : []))
  const histories = new Map((await listDecided(trx, decided)).map(({ row, decisions }) => [row.id, decisions]))
  return new Map(
    rows.map(({ isHidden, postsFor, ...row }) => {
      const decisions = histories.get(row.id) ?? []
      return [row.id, { row, decisions, isHidden, postsFor }]
    }),
  )
}

/** At `maxDecisionsPerDay` this covers more than a hundred days. */
const maxListed = 10_000

/** Only the event's organizer gets it, whatever was decided. */
export async function findFace(db: Knex, organizerId: number, applicationId: number): Promise<Buffer | undefined> {
  const row = await db('application_faces as p')
    .join('applications as a', 'a.id', 'p.applicationId')
    .join('events as e', 'e.id', 'a.eventId')
    .where({ 'p.applicationId': applicationId, 'e.organizerId': organizerId })
    .first('p.body')
  return row?.body
}

/** Lists the oldest first; undefined means another organizer's application. */
export async function listAllDecisions(
  db: Knex,
  organizerId: number,
  applicationId: number,
): Promise<ApplicationDecisionRow[] | undefined> {
  const owned = await db('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .where({ 'a.id': applicationId, 'e.organizerId': organizerId })
    .first('a.id')
  if (!owned) return undefined
  const rows = await db('application_decisions')
    .where({ applicationId })
    .orderBy('decisionNumber', 'desc')
    .limit(maxListed)
  return rows.toReversed()
}

/** Keeps the order of application, and leaves out missing ones. */
export async function listDecided(db: Knex, ids: readonly number[]): Promise<ShownApplication[]> {
  if (ids.length === 0) return []
  const rows = await runPrepared<ApplicationRow & ShownColumns & { readonly decisions: object[] | null }>(
    db,
    'list-decided',
    `select ${applicationColumns}, ${isHiddenSql} as is_hidden, e.posts_for, ${latestDecisions} as decisions
       from applications a join events e on e.id = a.event_id join users u on u.id = e.organizer_id
       where a.id = any(?) order by a.created_at, a.id`,
    [ids as unknown as Knex.Value],
  )
  return rows.map(({ isHidden, postsFor, decisions, ...row }) => ({
    row,
    isHidden,
    postsFor,
    decisions: decisionsOf(decisions ?? []),
  }))
}

/** Rows in JSON hold instants as text. */
function decisionsOf(rows: readonly object[]): DecisionLine[] {
  const named = toCamelCase(rows) as readonly (Omit<DecisionLine, 'decidedAt'> & { decidedAt: string })[]
  return named.map((row) => ({ ...row, decidedAt: new Date(row.decidedAt) }))
}

export async function listApplicationIds(
  db: Knex,
  which: Partial<Pick<ApplicationRow, 'eventId' | 'status'>>,
): Promise<number[]> {
  return await db('applications').where(which).orderBy(['createdAt', 'id']).pluck('id')
}

interface NewApplication {
  readonly id: number
  readonly eventId: number
  readonly fields: ApplicationFields
  readonly cameFrom: ApplicationRow['cameFrom']
  readonly tokenHash: string
  readonly termsVersion: string
  readonly sentLate: boolean
  readonly walkedIn?: boolean
  readonly now: Date
}

/** Undefined when the event has one from this email address, or the id is taken. */
export async function insertApplication(trx: Knex, given: NewApplication): Promise<ApplicationRow | undefined> {
  const { id, eventId, fields, now } = given
  const [row] = await trx('applications')
    .insert({
      id,
      eventId,
      ...columnsOf(applicationRecord, fields),
      cameFrom: given.cameFrom,
      termsAcceptedAt: now,
      // An operator's own terms have the day of their last change as their version.
      termsVersion: trx.raw(
        `coalesce((select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') from site_settings where name = 'terms'), ?)`,
        [given.termsVersion],
      ),
      statusTokenHash: given.tokenHash,
      sentLate: given.sentLate,
      walkedIn: given.walkedIn ?? false,
      createdAt: now,
    })
    .onConflict()
    .ignore()
    .returning('*')
  return row
}

/** Ignores the case of letters, and finds no walk-in without an address. */
export async function findApplied(db: Knex, eventId: number, email: string): Promise<ApplicationRow | undefined> {
  return await db('applications')
    .where({ eventId })
    .whereRaw(`lower(email) = lower(?) and email <> ''`, [email])
    .first()
}

export interface NewDecision {
  readonly before: ShownApplication
  readonly status: ApplicationRow['status']
  readonly basis: string | null
  readonly decisionNumber: number
  readonly decidedBy: number
  readonly device: { readonly id: string; readonly name: string } | null
  readonly now: Date
  /** Counts days since 1970 (UTC), and the number within that day. */
  readonly decidedDay: number
  readonly decidedTimes: number
}

/**
 * A decision whose mail was still held replaces the history line before it, if made on the same device: it reached no
 * mailbox, and no other device is overruled unseen.
 */
function replacedBy({ before, device, now }: NewDecision): DecisionLine | undefined {
  const last = before.decisions.at(-1)
  if (!last || last.byApplicant || last.deviceId !== (device?.id ?? null)) return undefined
  return last.decidedAt.getTime() > now.getTime() - mailHoldMs ? last : undefined
}

function lineOf(decision: NewDecision): DecisionLine {
  const { before, status, decisionNumber, decidedBy, device, now } = decision
  return {
    applicationId: before.row.id,
    decisionNumber,
    fromStatus: replacedBy(decision)?.fromStatus ?? before.row.status,
    toStatus: status,
    byApplicant: false,
    decidedBy,
    deviceId: device?.id ?? null,
    deviceName: device?.name ?? null,
    decidedAt: now,
  }
}

/** Returns the application as the decision leaves it. */
export function afterDecision(decision: NewDecision): ShownApplication {
  const { before, status, basis, decisionNumber, now, decidedDay, decidedTimes } = decision
  const replaced = replacedBy(decision)
  const kept = before.decisions.filter((line) => line !== replaced)
  return {
    ...before,
    row: { ...before.row, status, basis, decisionNumber, decidedAt: now, decidedDay, decidedTimes, coming: null },
    decisions: [...kept, lineOf(decision)].slice(-latest),
  }
}

/**
 * Writes all in one statement, because a phone back from a hall sends hundreds; `mails`, the alerts that go with them
 * and the public's count of Beacons are queued in it, too. An application is left out where the public does not see its
 * event any more: `findToDecideOn` may have waited for its locks, and seen an account as open that was closed by then.
 */
export function decisionsWriting(decisions: readonly NewDecision[], mails: readonly NewMail[]): Writing {
  const given = relation(
    'g',
    decisions.map((decision) => {
      const { applicationId: id, byApplicant: _, ...line } = lineOf(decision)
      const { before, basis, decidedDay, decidedTimes } = decision
      const replacedNumber = replacedBy(decision)?.decisionNumber
      return { ...line, id, basis, decidedDay, decidedTimes, isHidden: before.isHidden, replacedNumber }
    }),
    {
      id: 'bigint',
      isHidden: 'boolean',
      fromStatus: 'text',
      toStatus: 'text',
      basis: 'text',
      decisionNumber: 'int',
      replacedNumber: 'int',
      decidedAt: 'timestamptz',
      decidedBy: 'bigint',
      deviceId: 'text',
      deviceName: 'text',
      decidedDay: 'int',
      decidedTimes: 'int',
    },
  )
  const queued = queueMailsFrom(mails)
  const pushes = decisionPushesFrom(mails)
  // A rejected applicant was never counted.
  const counted = decisions.filter(({ before, status }) => [before.row.status, status].includes('approved'))
  const openings = openingsFrom(counted.map(({ before }) => before.row.eventId))
  return {
    sql: `given_decisions as (
      select * from ${given.sql}
    ), decided as (
      update applications a set status = g.to_status, basis = g.basis, decision_number = g.decision_number, decided_at = g.decided_at,
        decided_day = g.decided_day, decided_times = g.decided_times, coming = null
      from given_decisions g, events e, users u
      where a.id = g.id and e.id = a.event_id and u.id = e.organizer_id and ${isHiddenSql} = g.is_hidden returning a.id
    ), replaced as (
      delete from application_decisions d using given_decisions g
      where d.application_id = g.id and d.decision_number = g.replaced_number
    ), noted_decisions as (
      insert into application_decisions
        (application_id, decision_number, from_status, to_status, by_applicant, decided_by, device_id, device_name, decided_at)
      select id, decision_number, from_status, to_status, false, decided_by, device_id, device_name, decided_at
      from decided join given_decisions using (id)
    ), ${queued.sql}, ${pushes.sql}, ${openings.sql}, new_jobs as (
      select * from mail_jobs union all select * from push_jobs union all select * from opening_jobs
    ), ${queueJobsFrom('new_jobs')}, decided_and_announced as materialized (
      select * from decided cross join (select count(*) from announced_jobs) announced
    )`,
    bindings: [...given.bindings, ...queued.bindings, ...pushes.bindings, ...openings.bindings],
    shape: [given, queued, pushes, openings].map(({ shape }) => shape).join(''),
    written: 'decided_and_announced',
    count: decisions.length,
  }
}

/** The clean-up looks at events again of which an application was decided late. */
export async function cleanUpAgain(trx: Knex, eventIds: readonly number[]): Promise<void> {
  await trx('events')
    .whereIn('id', [...eventIds])
    .update({ archivedFor: null, purgedFor: null })
}

/** Finds those of them who are still approved and still say that they can't come. */
export async function listStillAbsent(db: Knex, ids: readonly number[]): Promise<number[]> {
  return await db('applications')
    .whereIn('id', [...ids])
    .where({ status: 'approved' })
    .whereRaw(`not ${isExpectedRow}`)
    .orderBy('id')
    .pluck('id')
}

export type MarkColumns = Pick<
  ApplicationRow,
  | 'note'
  | 'noteAt'
  | 'noteDevice'
  | 'noteBy'
  | 'otherNotes'
  | 'approvedAs'
  | 'starred'
  | 'arrivedAt'
  | 'presence'
  | 'post'
>

export async function updateMarks(trx: Knex, id: number, marks: MarkColumns): Promise<void> {
  await trx('applications')
    .where({ id })
    .update({
      ...marks,
      otherNotes: JSON.stringify(marks.otherNotes),
      approvedAs: marks.approvedAs && JSON.stringify(marks.approvedAs),
    })
}
