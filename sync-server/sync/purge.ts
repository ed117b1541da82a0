import { purgeIdempotencyKeys } from '../calls/idempotency.ts'
import { daysBefore, deletionOf, inLots, lotSize, type CleanUpStep } from '../db/lots.ts'
import { sessionHasRunOut } from '../db/run-out-session.ts'
import { KNOWN_DAYS } from '../http/known-browser.ts'

const TOMBSTONE_DAYS = 90
const DEAD_SESSION_DAYS = 90
/** Stripe repeats an event for three days. */
const STRIPE_EVENT_DAYS = 60

/** A row outlives a moment in it by so many days. */
const aged = (table: string, column: string, days: number): CleanUpStep =>
  inLots(deletionOf(table, `${column} < ?`, (now) => [daysBefore(now, days)]))

/**
 * Moves the horizon of their scopes, so that a replica which missed them starts again. Scopes are locked in the order in
 * which changes lock them.
 */
const purgeTombstones = inLots(async (db, now) => {
  const { rows } = await db.raw<{ rows: { purged: number }[] }>(
    `with old as materialized (
       select scope, collection, doc_id from sync_log where deleted and updated_at < ?
       order by updated_at limit ${lotSize} for update skip locked
     ), gone as (
       delete from sync_log l using old o
       where l.scope = o.scope and l.collection = o.collection and l.doc_id = o.doc_id returning l.scope, l.version
     ), newest as materialized (
       select scope, max(version) as version from gone group by scope
     ), locked as materialized (
       select s.scope from sync_scope s where s.scope in (select scope from newest)
       order by s.scope = 'public', s.scope collate "C" for update
     ), raised as (
       update sync_scope s set horizon = greatest(s.horizon, n.version)
       from locked l join newest n on n.scope = l.scope where s.scope = l.scope
     )
     select count(*)::int as purged from gone`,
    [daysBefore(now, TOMBSTONE_DAYS)],
  )
  return rows[0]?.purged === 0 ? undefined : rows[0]?.purged
})

const scopesAtOnce = 500
const rowsOfScope = 100

/**
 * Keeps each scope's newest row of 90 days ago: a replica that has seen it goes on, an older one starts again. Of each
 * scope the oldest rows are read alone, by the primary key, so that writing has no further index to tend.
 */
const purgeHistory: CleanUpStep = async (db, now, mayGoOn = () => true) => {
  let removed = 0
  let after: string | null = ''
  while (after !== null && mayGoOn()) {
    const result: { rows: { count: number; last: string | null }[] } = await db.raw(
      `with scopes as materialized (
         select scope from sync_scope where scope > ? order by scope limit ${scopesAtOnce}
       ), gone as (
         delete from sync_history where (scope, version) in (
           select s.scope, h.version from scopes s cross join lateral (
             select version, lead(made_at) over (order by version) as next_made_at from (
               select version, made_at from sync_history where scope = s.scope order by version limit ${rowsOfScope + 1}
             ) oldest
           ) h where h.next_made_at < ?
         ) returning 1
       )
       select (select count(*)::int from gone) as count, (select max(scope) from scopes) as last`,
      [after, daysBefore(now, TOMBSTONE_DAYS)],
    )
    const { count, last } = result.rows[0] ?? { count: 0, last: null }
    removed += count
    // One of the scopes may have more to remove than was looked at.
    if (count === 0) after = last
  }
  return removed
}

/** Until then a device can learn why it is signed out. A session never expires after its last day. */
const purgeSessions = inLots(async (db, now) => {
  const before = [daysBefore(now, DEAD_SESSION_DAYS)]
  const unused = deletionOf('sessions', 'expires_at < ?', () => before)
  const ended = deletionOf('sessions', 'revoked_at < ?', () => before)
  return (await unused(db, now)) ?? (await ended(db, now))
})

/** What is of no use any more, by the names under which metrics and log lines tell of it. */
export const expirySteps = {
  keys: purgeIdempotencyKeys,
  tombstones: purgeTombstones,
  history: purgeHistory,
  alertedDevices: inLots(deletionOf('push_subscriptions', sessionHasRunOut, (now) => [now])),
  sessions: purgeSessions,
  // Until then a user who opens the link learns why it does nothing.
  links: aged('account_links', 'expires_at', 30),
  invitations: aged('team_invitations', 'expires_at', 0),
  browsers: aged('known_browsers', 'seen_at', KNOWN_DAYS),
  failedSignIns: aged('failed_sign_ins', 'hour', 90),
  // An hour later than they end, for the clocks of other processes.
  allowances: inLots(deletionOf('rate_limits', 'expire < ?', (now) => [now.getTime() - 3_600_000])),
  // Two days later than a search looks back, for the clocks of other processes.
  eventWords: inLots(deletionOf('event_words', 'end_date < ?::date', (now) => [daysBefore(now, 4)])),
  stripeEvents: aged('stripe_events', 'received_at', STRIPE_EVENT_DAYS),
  // Two years and a day: years have leap days. The table itself refuses it sooner. Ids are given in the order of time.
  auditLines: inLots(
    deletionOf('audit_log', `at < ? and id in (select id from audit_log order by id limit ${lotSize})`, (now) => [
      daysBefore(now, 732),
    ]),
  ),
} satisfies Record<string, CleanUpStep>
