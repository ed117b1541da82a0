import { expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { seedDemo } from '../db/seeds/seed-demo.ts'
import { deleteAccount } from '../personal-data/delete-account.ts'
import { addPayment } from '../testing/billing-rows.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { mergeDailySums } from './daily-sums.ts'

const { db } = await setTestDatabase()
const now = new Date()

interface Sum {
  readonly day: string
  readonly line: string
  readonly amount: number
}

/** Counts the rows themselves. */
async function counted(): Promise<Sum[]> {
  const { rows } = await db.raw<{ rows: Sum[] }>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, line, sum(amount)::bigint as amount from (
       select 'users' as line, created_at as at, 1 as amount from users
       union all select 'events', created_at, 1 from events
       union all select 'subscriptions', created_at, 1 from user_subscriptions
       union all select 'revenue', coalesce(paid_at, created_at),
         greatest(amount_cents - refunded_cents - disputed_cents, 0)
         from payments where provider = 'stripe' and status = 'paid'
       union all select 'applications', created_at, 1 from applications
       union all select 'mails-failed', updated_at, 1 from mails where state = 'failed'
     ) happened group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
  )
  return rows
}

async function summed(): Promise<Sum[]> {
  const { rows } = await db.raw<{ rows: Sum[] }>(
    `select day, line, sum(amount)::bigint as amount from daily_sums
     group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
  )
  return rows
}

const linesOf = (sums: readonly Sum[]) => [...new Set(sums.map(({ line }) => line))].toSorted()

/** What changes the figures of days that are long over. */
const laterChanges: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'a payment that is taken back in part',
    () => db('payments').where({ status: 'paid' }).update({ refundedCents: 900 }),
  ],
  [
    'a payment that is made later',
    () => db('payments').where({ status: 'pending' }).update({ status: 'paid', paidAt: now }),
  ],
  ['a mail that fails', () => db('mails').where({ key: 'held' }).update({ state: 'failed', updatedAt: now })],
  [
    'a failed mail that is sent again',
    () => db('mails').where({ key: 'failed' }).update({ state: 'queued', updatedAt: now }),
  ],
  ['failed mails that are deleted for their age', () => db('mails').where({ state: 'failed' }).del()],
  [
    'an event that is deleted with its applications',
    async () => {
      const event = await db('applications').first('eventId')
      await db('events').where({ id: event!.eventId }).del()
    },
  ],
  [
    'an account that is deleted, but for its payments',
    async () => {
      const paid = await db('payments').first('userId')
      await deleteAccount(db, paid!.userId, { now, tellApplicants: true })
    },
  ],
]

it('daily sums are what counting every row finds, whatever happens to the rows', async () => {
  await seedDemo(db, now, publishEverything)
  const owner = await db('events').first('organizerId')
  const userId = owner!.organizerId
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  await addPayment(db, userId, { createdAt: before(70), paidAt: before(69) })
  await addPayment(db, userId, { createdAt: before(60), provider: 'demo' })
  await addPayment(db, userId, { createdAt: before(50), status: 'pending' })
  const mail = { kind: 'decision' as const, toName: '', toAddress: 'x@example.com', payload: '{}', sendAt: now }
  await db('mails').insert([
    { ...mail, key: 'failed', state: 'failed', updatedAt: before(40) },
    { ...mail, key: 'also failed', state: 'failed', updatedAt: before(40) },
    { ...mail, key: 'held', state: 'held' },
  ])
  expect(linesOf(await summed())).toEqual([
    'applications',
    'events',
    'mails-failed',
    'revenue',
    'subscriptions',
    'users',
  ])
  expect(await summed()).toEqual(await counted())
  for (const [what, change] of laterChanges) {
    const earlier = await summed()
    await change()
    expect(await summed(), what).not.toEqual(earlier)
    expect(await summed(), what).toEqual(await counted())
  }
})

it('merging leaves one row of a day and line, and changes no sum', async () => {
  const earlier = await summed()
  expect((await db('daily_sums')).length).toBeGreaterThan(earlier.length)
  expect(await mergeDailySums(db, now)).toBeGreaterThan(0)
  expect(await summed()).toEqual(earlier)
  const days = await db('daily_sums').select('day', 'line')
  expect(new Set(days.map(({ day, line }) => `${day} ${line}`)).size).toBe(days.length)
  expect(await mergeDailySums(db, now), 'nothing is left').toBe(0)
})

it('the migration counts what was there before it', async () => {
  const earlier = await summed()
  const { dailySums } = await import('../db/schema/daily-sums.ts')
  await db.transaction(async (trx) => {
    await trx.raw(
      `drop table daily_sums cascade; drop function sum_rows, sum_revenue, sum_failed_mails cascade;
       drop index users_emptied, user_subscriptions_running, payments_reserving`,
    )
    await trx.raw(dailySums)
  })
  expect(await summed()).toEqual(earlier)
})
