import { beforeAll, expect, it } from 'vitest'
import type { Knex } from 'knex'
import type Koa from 'koa'
import { gatherAlerts } from '../applications/alerts/new-application-alerts.ts'
import { archiveApplications } from '../applications/archive.ts'
import { sumOldViews } from '../events/sum-views.ts'
import { siteMap } from '../http/pages/site-files.ts'
import { type ClaimedJob, purgeJobs } from '../jobs/job-queue.ts'
import { purgeMails } from '../mail/mail-delivery.ts'
import { deleteApplicant, exportApplicant } from '../personal-data/applicant-data.ts'
import { deleteAccount } from '../personal-data/delete-account.ts'
import { exportAccount } from '../personal-data/export-account.ts'
import { purgeApplications } from '../personal-data/purge-applications.ts'
import { expirySteps } from '../sync/purge.ts'
import { addAlertedDevice } from '../testing/account-rows.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { fillInstallation } from '../testing/fill-installation.ts'
import { createRouteRig, type Person } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'

/** The counters of a connection are complete once it has told them, so there is one. */
const { db } = await setTestDatabase({ poolSize: 1 })
const now = new Date()
/** The account has ten events, over three years. */
const organizerId = 1_050
let job: ClaimedJob
let ada: Person

beforeAll(async () => {
  await fillInstallation(db, { events: 6_000, applications: 4 })
  await db('events').where({ id: 105_990 }).update({ name: 'Evening by the lanterns' })
  const own: number[] = await db('events').where({ organizerId }).orderBy('startDate').pluck('id')
  await db('events').whereIn('id', own.slice(0, 4)).update({ archivedFor: null, purgedFor: null })
  await addAlertedDevice(db, organizerId)
  await addSubscription(db, organizerId, UNLIMITED)
  for (const statement of smallTables) await db.raw(statement, { organizerId, eventId: own[0] } as Knex.ValueDict)
  const payload = { eventId: own.at(-1) }
  const columns = { kind: 'new-application-push', key: 'alert', payload, createdAt: new Date(0) }
  job = { ...(await db('jobs').insert(columns).returning('*'))[0]!, takenOver: false }
  ada = await createRouteRig(db).addPerson('Ada', { isAdmin: true })
  await db.raw('vacuum analyze')
})

/** Has so many rows of others in tables that a deletion or the clean-up looks through that an index is worth it. */
const others = 'generate_series(1, 3000) n'
const smallTables = [
  `insert into messages (id, event_id, application_ids, audience, body, written_by, created_at, leaves_at)
   select n, :eventId, '{}', 'all', repeat('A word. ', 20), 1000 + n % 50, now(), now() from ${others}`,
  `insert into failed_sign_ins (user_id, hour, times, last_at)
   select 1000 + n % 50, now() - n * interval '1 minute', 1, now() from ${others}`,
  `insert into sessions (id_hash, user_id, expires_at, absolute_expires_at)
   select 'other' || n, 1000 + n % 50, now() + interval '1 day', now() + interval '1 day' from ${others}`,
  `insert into user_subscriptions (user_id, plan_id, end_date) select 1000 + n % 50, 1, now() - interval '1 day' from ${others}`,
  `insert into payments (user_id, plan_id, subscription_id, provider, status, amount_cents)
   select user_id, 1, id, 'free', 'paid', 0 from user_subscriptions`,
  `insert into payments (user_id, plan_id, provider, status, amount_cents) values (:organizerId, 1, 'free', 'paid', 0)`,
  `insert into stripe_events (id, type, outcome, payment_id) select 'event' || id, '', '', id from payments`,
  `insert into rate_limits (key, expire) select 'key' || n, 1e15 from ${others}`,
  `insert into event_views (event_id, day, source, views) select id, current_date - n, 'qr', 1
   from events, generate_series(1, 3) n`,
]

const tables = ['events', 'applications', 'jobs', 'mails', 'idempotency_keys']

/** How often each of the large tables was read from its first row to its last, also by what a deletion cascades to. */
async function countWholeReads(): Promise<ReadonlyMap<string, number>> {
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw<{ rows: { name: string; reads: number }[] }>(
    'select relname as name, seq_scan as reads from pg_stat_user_tables where relname = any(?)',
    [tables],
  )
  return new Map(rows.map(({ name, reads }) => [name, reads]))
}

async function countIndexReads(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.raw<{ rows: { name: string; reads: number }[] }>(
    'select indexrelname as name, idx_scan as reads from pg_stat_user_indexes',
  )
  return new Map(rows.map(({ name, reads }) => [name, reads]))
}

const list = async (query: Record<string, string>) => {
  const { body } = await createRouteRig(db).run('listEvents', { query: { limit: '10', ...query } })
  expect(body.length).toBeGreaterThan(0)
}
const held = { signal: new AbortController().signal, stillHeld: async () => true }
const site = { path: '/sitemap.xml', set: () => undefined } as unknown as Koa.ParameterizedContext
const parts = { db, publicOrigin: 'https://beaconry.example', hasPlans: true, now: () => now }

/** Each is followed by the indexes that it must have used. */
it.each<[string, () => Promise<unknown>, string]>([
  ['the list', () => list({ limit: '30' }), 'events_running events_listed'],
  ['the list of a state', () => list({ state: 'Texas' }), 'events_listed_in_state'],
  ['a search by ZIP code', () => list({ zipCode: '60611', radius: '250' }), 'events_near'],
  ['a search by words', () => list({ q: 'lantern Évening' }), 'event_words_trigrams events_pkey'],
  ['the sitemap', async () => await siteMap(parts)(site, async () => undefined), 'events_upcoming'],
  ['an alert', () => gatherAlerts({ db })(job, held), 'jobs_alerting'],
  ['archiving', () => archiveApplications(db, now), 'events_to_archive'],
  ['the deletion after twelve months', () => purgeApplications(db, now), 'events_to_purge'],
  ['forgetting old keys', () => expirySteps.keys(db, now), 'idempotency_keys_visitors_refusals'],
  ['forgetting old jobs', () => purgeJobs(db, now), 'jobs_ended'],
  ['forgetting old mails', () => purgeMails(db, now), 'mails_ended'],
  ['forgetting old sessions', () => expirySteps.sessions(db, now), 'sessions_expiry sessions_revoked'],
  ['forgetting old allowances', () => expirySteps.allowances(db, now), 'rate_limits_expire'],
  ['summing up old views', () => sumOldViews(db, now), 'event_views_day'],
  [
    'the platform in numbers',
    () => createRouteRig(db).run('getAdminStats', { as: ada }),
    'events_upcoming users_emptied user_subscriptions_running payments_reserving',
  ],
  [
    'the copy of an applicant’s data',
    () => exportApplicant(db, 'nobody@example.com'),
    'applications_email_event_unique mails_mailbox',
  ],
  [
    'the deletion of an applicant',
    () => db.transaction((trx) => deleteApplicant(trx, 'nobody@example.com', now)),
    'applications_email_event_unique mails_mailbox jobs_failing',
  ],
  [
    'the copy of an account’s data',
    () => exportAccount(db, organizerId),
    'application_decisions_by applications_note_by applications_other_notes failed_sign_ins_user',
  ],
  [
    'the deletion of an account',
    () => deleteAccount(db, organizerId, { now, tellApplicants: true }),
    'application_decisions_by applications_note_by applications_other_notes mails_organizer events_subscription jobs_resetting messages_written_by failed_sign_ins_user payments_subscription stripe_events_payment',
  ],
])('%s reads no large table from its first row to its last', async (_, run, indexes) => {
  const before = await countWholeReads()
  const used = await countIndexReads()
  await run()
  expect(await countWholeReads()).toEqual(before)
  const usedNow = await countIndexReads()
  expect(indexes.split(' ').filter((name) => (usedNow.get(name) ?? 0) <= (used.get(name) ?? 0))).toEqual([])
})
