import { expect, it } from 'vitest'
import { addAlertedDevice, addUser } from '../testing/account-rows.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { purgeExpired } from '../testing/purge-expired.ts'
import { expirySteps } from './purge.ts'

const DAY_MS = 86_400_000
const now = new Date('2026-11-21T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
const { db } = await setTestDatabase()

it('removing old tombstones reads them alone, however long the log of living documents is', async () => {
  await db.raw(
    `insert into sync_log (scope, collection, doc_id, version, deleted, body, updated_at)
     select 'org:1', 'applications', n::text, n, n % 100 = 0, case when n % 100 = 0 then null else '{}' end,
       ?::timestamptz - make_interval(days => n % 200)
     from generate_series(1, 20000) n`,
    [now],
  )
  await db.raw(`insert into sync_scope (scope, version) values ('org:1', 20000)`)
  await db.raw('analyze sync_log')
  const { rows } = await db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    'explain delete from sync_log where deleted and updated_at < ?',
    [daysAgo(90)],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).not.toContain('Seq Scan')
  expect(await expirySteps.tombstones(db, now)).toBe(100)
})

it('an alert ends with the session it was turned on in, before that is forgotten', async () => {
  const userId = await addUser(db, 'olivia')
  for (const [name, endedDaysAgo] of [
    ['lost', 100],
    ['unused', 1],
    ['used', -10],
  ] as const) {
    const end = daysAgo(endedDaysAgo)
    await db('sessions').insert({ idHash: name, userId, expiresAt: end, absoluteExpiresAt: end })
    await addAlertedDevice(db, userId, name, { sessionIdHash: name })
  }
  expect(await purgeExpired(db, now)).toMatchObject({ alertedDevices: 2, sessions: 1 })
  expect(await db('push_subscriptions').select('deviceId')).toEqual([{ deviceId: 'used' }])
})

it('a session is forgotten 90 days after it ended, in whatever way it did', async () => {
  const userId = await addUser(db, 'otto')
  const open = { userId, expiresAt: daysAgo(-10), absoluteExpiresAt: daysAgo(-10) }
  await db('sessions').insert([
    { ...open, idHash: 'ended long ago', revokedAt: daysAgo(91) },
    { ...open, idHash: 'unused for long', expiresAt: daysAgo(91) },
    { ...open, idHash: 'run out long ago', expiresAt: daysAgo(91), absoluteExpiresAt: daysAgo(91) },
    { ...open, idHash: 'ended', revokedAt: daysAgo(89) },
  ])
  await purgeExpired(db, now)
  expect(await db('sessions').where({ userId }).pluck('idHash')).toEqual(['ended'])
})

it('the words of an event are searched until it is over, and then forgotten', async () => {
  const organizerId = await addUser(db, 'orla')
  await db.raw(
    `insert into events (id, organizer_id, name, description, start_date, end_date, location, address, time_zone,
       beacon_incentives, sealing_key, opening_key)
     select id, ?, 'Event', 'Talks', day, day, 'Pier 9', '1 Harbor Way', 'America/Chicago', 'Ticket', 's', 'o'
     from (values (1, '2026-11-16'::date), (2, '2026-11-17'), (3, '2026-11-30')) as given (id, day)`,
    [organizerId],
  )
  expect(await purgeExpired(db, now)).toMatchObject({ eventWords: 1 })
  expect(await db('event_words').orderBy('eventId').pluck('eventId')).toEqual([2, 3])
})

it('browsers and failed sign-ins are forgotten when they are of no use any more', async () => {
  const user = await db('users').first('id')
  await db('known_browsers').insert([
    { userId: user!.id, idHash: 'old', seenAt: daysAgo(401) },
    { userId: user!.id, idHash: 'used', seenAt: daysAgo(399) },
  ])
  await db('failed_sign_ins').insert([
    { userId: user!.id, hour: daysAgo(91), times: 3, lastAt: daysAgo(91) },
    { userId: null, hour: daysAgo(89), times: 5, lastAt: daysAgo(89) },
  ])
  expect(await purgeExpired(db, now)).toMatchObject({ browsers: 1, failedSignIns: 1 })
  expect(await db('known_browsers').select('idHash')).toEqual([{ idHash: 'used' }])
  expect(await db('failed_sign_ins').select('times')).toEqual([{ times: 5 }])
})

it('what a visitor was refused is kept for a week, any other answer for ninety days', async () => {
  const row = (key: string, scope: string, status: number, days: number) => ({
    key,
    scope,
    status,
    target: 'h',
    refusal: status === 409 ? ('conflict' as const) : null,
    createdAt: daysAgo(days),
  })
  await db('idempotency_keys').insert([
    row('a', 'device:phone', 409, 8),
    row('b', 'device:phone', 409, 6),
    row('c', 'device:phone', 201, 89),
    row('d', 'user:1', 409, 89),
    row('e', 'user:1', 409, 91),
    { ...row('f', 'device:phone', 422, 89), refusal: 'cancelled' as const },
  ])
  expect((await purgeExpired(db, now)).keys).toBe(2)
  expect((await db('idempotency_keys').orderBy('key')).map(({ key }) => key)).toEqual(['b', 'c', 'd', 'f'])
})
