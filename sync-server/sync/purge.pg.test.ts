import { expect, it } from 'vitest'
import { addAlertedDevice, addUser } from '../testing/account-rows.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { purgeExpired, purgeTombstones } from './purge.ts'

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
  expect(await purgeTombstones(db, now)).toBe(100)
})

it('an alert ends with the session it was turned on in, at the latest when that session is forgotten', async () => {
  const userId = await addUser(db, 'olivia')
  for (const [name, endedDaysAgo] of [
    ['lost', 100],
    ['used', -10],
  ] as const) {
    const end = daysAgo(endedDaysAgo)
    await db('sessions').insert({ idHash: name, userId, expiresAt: end, absoluteExpiresAt: end })
    await addAlertedDevice(db, userId, name, { sessionIdHash: name })
  }
  expect((await purgeExpired(db, now)).sessions).toBe(1)
  expect(await db('push_subscriptions').select('deviceId')).toEqual([{ deviceId: 'used' }])
})

it('what phones were refused is forgotten 30 days after the last time', async () => {
  await db('refused_changes').insert([
    { route: 'updateEvent', code: 'conflict', firstAt: daysAgo(90), lastAt: daysAgo(29) },
    { route: 'updateEvent', code: 'not_found', firstAt: daysAgo(31), lastAt: daysAgo(31) },
  ])
  expect((await purgeExpired(db, now)).refusals).toBe(1)
  expect(await db('refused_changes').select('code')).toEqual([{ code: 'conflict' }])
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
    requestHash: 'h',
    createdAt: daysAgo(days),
  })
  await db('idempotency_keys').insert([
    row('a', 'device:phone', 409, 8),
    row('b', 'device:phone', 409, 6),
    row('c', 'device:phone', 201, 89),
    row('d', 'user:1', 409, 89),
    row('e', 'user:1', 409, 91),
    { ...row('f', 'device:phone', 422, 89), requestHash: 'cancelled' },
  ])
  expect((await purgeExpired(db, now)).keys).toBe(2)
  expect((await db('idempotency_keys').orderBy('key')).map(({ key }) => key)).toEqual(['b', 'c', 'd', 'f'])
})
