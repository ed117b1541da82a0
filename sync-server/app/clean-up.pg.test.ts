import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CleanUpStep } from '../db/lots.ts'
import { cleanUpSucceededAt } from '../http/operation.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { cleanUp, cleanUpSteps, type CleanUpOptions } from './clean-up.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase

/** What a step has to do, in more than one lot: rows to make, its statement, and how many are left after each turn. */
interface Work {
  readonly fill: string
  readonly statement: `${'delete' | 'update' | 'update or delete'} on ${string}`
  readonly left: string
  /** After the first lot, and at the end. */
  readonly counts: readonly [number, number]
}

const lot = 5_000
const rows = (sql: string) => `${sql} from generate_series(1, ${lot + 7}) n`
const work = (table: string, fill: string): Work => ({
  fill,
  statement: `delete on ${table}`,
  left: `select count(*) from ${table}`,
  counts: [7, 0],
})
const event = (id: number, days: number) =>
  `insert into events (id, organizer_id, name, description, start_date, end_date, location, address, time_zone,
     beacon_incentives, sealing_key, opening_key)
   values (${id}, 1, 'Mixer', '', current_date - ${days}, current_date - ${days}, '', '', 'UTC', '', '', '');`
const applications = (eventId: number, count: number) =>
  `insert into applications (event_id, first_name, last_name, email, experience, expertise, why_beacon, networking_style,
     bio, status, terms_accepted_at, terms_version, status_token_hash)
   select ${eventId}, 'Bea', 'Moss', n || '@example.com', '', '', '', '', '', 'approved', now(), '1', ${eventId} || '-' || n
   from generate_series(1, ${count}) n`
const mails = (state: string, column: string) =>
  rows(`insert into mails (kind, key, to_name, to_address, payload, state, send_at, updated_at)
    select 'reminder', '${state}' || n, '', n || '@example.com', '{}', '${state}',
      now() - interval '${column === 'send_at' ? 9 : 0} days', now() - interval '${column === 'send_at' ? 0 : 91} days'`)

const works: Readonly<Record<keyof typeof cleanUpSteps, Work>> = {
  accounts: {
    fill: `insert into users (username, email, password_hash, deletes_at)
      values ('due', 'due@example.com', '', now() - interval '1 day')`,
    statement: 'update or delete on users',
    left: `select count(*) + count(*) filter (where password_hash <> 'deleted') as count from users where id > 1`,
    counts: [1, 0],
  },
  applications: {
    fill: `${event(10, 400)} update events set archived_for = end_date; ${applications(10, 207)}`,
    statement: 'delete on applications',
    left: 'select count(*) from applications where event_id = 10',
    counts: [7, 0],
  },
  archived: {
    fill: event(11, 40) + applications(11, 507),
    statement: 'update on applications',
    left: 'select count(*) from applications where event_id = 11 and not archived',
    counts: [7, 0],
  },
  keys: work(
    'idempotency_keys',
    rows(
      `insert into idempotency_keys (scope, key, target, created_at) select 'user:1', n, '', now() - interval '91 days'`,
    ),
  ),
  tombstones: {
    ...work(
      'sync_log',
      rows(`insert into sync_log (scope, collection, doc_id, version, deleted, updated_at)
        select 'org:7', 'events', n, n, true, now() - interval '91 days'`),
    ),
    left: `select count(*) from sync_log where scope = 'org:7'`,
  },
  history: {
    fill: `insert into sync_scope (scope, version) values ('org:8', 108);
      insert into sync_history (scope, version, made_at)
      select 'org:8', n, now() - interval '91 days' from generate_series(1, 108) n`,
    statement: 'delete on sync_history',
    left: `select count(*) from sync_history where scope = 'org:8'`,
    counts: [8, 1],
  },
  alertedDevices: work(
    'push_subscriptions',
    `insert into sessions (id_hash, user_id, expires_at, absolute_expires_at)
       values ('over', 1, now() - interval '1 day', now());` +
      rows(`insert into push_subscriptions (user_id, session_id_hash, device_id, endpoint, p256dh, auth)
        select 1, 'over', 'phone', n, '', ''`),
  ),
  sessions: {
    ...work(
      'sessions',
      rows(`insert into sessions (id_hash, user_id, expires_at, absolute_expires_at)
        select n, 1, now() - interval '91 days', now()`),
    ),
    left: `select count(*) from sessions where id_hash <> 'over'`,
  },
  links: work(
    'account_links',
    rows(`insert into account_links (id, token_hash, purpose, user_id, email, created_at, expires_at, used_at)
      select n, n, 'reset', 1, '', now(), now() - interval '31 days', now()`),
  ),
  invitations: work(
    'team_invitations',
    rows(`insert into team_invitations (organizer_id, role, token_hash, expires_at)
      select 1, 'door', n, now() - interval '1 day'`),
  ),
  browsers: work(
    'known_browsers',
    rows(`insert into known_browsers (user_id, id_hash, seen_at) select 1, n, now() - interval '500 days'`),
  ),
  failedSignIns: work(
    'failed_sign_ins',
    rows(
      `insert into failed_sign_ins (hour, times, last_at) select now() - interval '91 days' - n * interval '1 hour', 1, now()`,
    ),
  ),
  allowances: work('rate_limits', rows('insert into rate_limits (key, expire) select n, 0')),
  stripeEvents: work(
    'stripe_events',
    rows(`insert into stripe_events (id, type, outcome, received_at) select n, '', '', now() - interval '61 days'`),
  ),
  eventWords: {
    ...work(
      'event_words',
      `delete from event_words; alter table events disable trigger events_words_follow;
      ${rows(`insert into events (id, organizer_id, name, description, start_date, end_date, location, address, time_zone,
          beacon_incentives, sealing_key, opening_key)
        select 20000 + n, 1, '', '', current_date - 5, current_date - 5, '', '', 'UTC', '', '', ''`)};
      alter table events enable trigger events_words_follow;
      insert into event_words select id, end_date, '' from events where id > 20000`,
    ),
    left: 'select count(*) from event_words where event_id > 20000',
  },
  auditLines: {
    ...work(
      'audit_log',
      rows(`insert into audit_log (route, status, request_id, at) select 'old', 200, n, now() - interval '733 days'`),
    ),
    left: `select count(*) from audit_log where route = 'old'`,
  },
  jobs: {
    ...work(
      'jobs',
      rows(`insert into jobs (kind, key, payload, state, updated_at)
        select 'k', n, '{}', 'done', now() - interval '31 days'`),
    ),
    left: `select count(*) from jobs where kind = 'k'`,
  },
  staleMails: {
    fill: mails('held', 'send_at'),
    statement: 'update on mails',
    left: `select count(*) from mails where state = 'held'`,
    counts: [7, 0],
  },
  dailySums: {
    ...work('daily_sums', rows(`insert into daily_sums (day, line, amount) select '2020-01-01', 'events', 1`)),
    left: `select count(*) from daily_sums where day = '2020-01-01'`,
    counts: [8, 1],
  },
  views: {
    fill:
      event(12, 0) +
      rows(`insert into event_views (event_id, day, source, views) select 12, current_date - 91 - n::int, 'qr', 1`),
    statement: 'delete on event_views',
    left: 'select count(*) from event_views',
    counts: [7, 0],
  },
  mails: {
    fill: mails('sent', 'updated_at'),
    statement: 'delete on mails',
    left: `select count(*) from mails where state = 'sent'`,
    counts: [7, 0],
  },
}

/** Lets the second lot of each step end in that way, once. Statements of other steps in the same table do not count. */
const strokes = (end: string) => `
  create function stroke() returns trigger language plpgsql as $$
  begin
    if current_setting('test.step', true) = tg_argv[0] and nextval('strokes_' || tg_argv[0]) = 2 then
      ${end}
    end if;
    return null;
  end $$;
  ${Object.entries(works)
    .map(
      ([step, { statement }]) => `create sequence strokes_${step.toLowerCase()};
        create trigger stroke_${step} before ${statement} for each statement execute function stroke('${step.toLowerCase()}');`,
    )
    .join('')}`

/** Tells the connection whose statements follow. It is the only one, and after a kill another one. */
async function tell(step: string): Promise<void> {
  const told = () => database.db.raw(`select set_config('test.step', ?, false)`, [step])
  await expect
    .poll(
      async () =>
        await told().then(
          () => true,
          () => false,
        ),
    )
    .toBe(true)
}
const steps = Object.fromEntries(
  Object.entries(cleanUpSteps).map(([name, step]): [string, CleanUpStep] => [
    name,
    async (...given) => {
      await tell(name.toLowerCase())
      return await step(...given)
    },
  ]),
)
const turn = async (options: CleanUpOptions = {}) => await cleanUp(database.db, log, { steps, ...options })

async function left(): Promise<Record<string, number>> {
  await tell('')
  const counted: Record<string, number> = {}
  for (const [step, { left: sql }] of Object.entries(works))
    counted[step] = (await database.db.raw<{ rows: { count: number }[] }>(sql)).rows[0]?.count ?? 0
  return counted
}
const after = (turns: 0 | 1) =>
  Object.fromEntries(Object.entries(works).map(([step, { counts }]) => [step, counts[turns]]))
const succeeded = async () => (await cleanUpSucceededAt.get()).values.map(({ labels }) => labels.step).toSorted()

beforeEach(async () => {
  cleanUpSucceededAt.reset()
  database = await createTestDatabase({ poolSize: 1 })
  await database.db.raw(
    `insert into users (id, username, email, password_hash) overriding system value values (1, 'o', 'o', '')`,
  )
  await database.db.raw(`select setval('users_id_seq', 100)`)
  for (const { fill } of Object.values(works)) await database.db.raw(fill)
})
afterEach(() => database.drop())

describe('a turn of the clean-up', () => {
  it('takes every step to its end and notes when it did', async () => {
    await turn()
    expect(await left()).toEqual(after(1))
    expect(await succeeded()).toEqual(Object.keys(cleanUpSteps).toSorted())
  })

  it.each([
    ['failed', `raise exception 'a row that cannot go';`],
    ['were timed out', 'perform pg_cancel_backend(pg_backend_pid()), pg_sleep(60);'],
    ['were killed', 'perform pg_terminate_backend(pg_backend_pid()), pg_sleep(60);'],
  ])('goes on where steps stopped that %s in their second lot, each for itself', async (_, end) => {
    await database.db.raw(strokes(end))
    await turn()
    expect(await left()).toEqual(after(0))
    expect(await succeeded()).toEqual([])
    await turn()
    expect(await left()).toEqual(after(1))
    expect(await succeeded()).toEqual(Object.keys(cleanUpSteps).toSorted())
  })

  it('goes on where steps stopped that had no time left after their first lot', async () => {
    let looks = 0
    await turn({ isStopped: () => looks++ % 2 === 1 })
    expect(await left()).toEqual(after(0))
    expect(await succeeded()).toEqual([])
    await turn()
    expect(await left()).toEqual(after(1))
  })

  it('leaves every other step its work where one always fails', async () => {
    const { sessions: _, ...others } = after(1)
    await turn({ steps: { ...steps, sessions: async () => Promise.reject(new Error('always')) } })
    const { sessions, ...left1 } = await left()
    expect([sessions, left1]).toEqual([lot + 7, others])
    expect(await succeeded()).not.toContain('sessions')
  })
})
