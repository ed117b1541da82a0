import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createKnex } from './knex-config.ts'
import { isMigrated, migrate } from './migrate.ts'
import { seedDemo } from './seeds/demo.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Back to a database no migration has seen. */
async function empty(): Promise<void> {
  await database.db.raw('drop schema public cascade')
  await database.db.raw('create schema public')
}

describe('migrations', () => {
  it('run once when four processes start together', async () => {
    await empty()
    const processes = Array.from({ length: 4 }, () => createKnex(database.connectionString))
    const ran = await Promise.all(processes.map((db) => migrate(db)))
    expect(ran.flat()).toEqual([
      '001-initial',
      '002-plans',
      '003-hardening',
      '004-payments',
      '005-marks',
      '007-accounts',
      '008-mails',
      '009-stripe',
      '010-account-links',
      '011-alerts',
      '012-operation',
      '013-mail-preferences',
      '020-feed-history',
      '030-guessing',
      '031-audit-retention',
      '035-demo-rows',
      '040-mails-of-organizers',
      '041-notes-and-changes',
      '045-event-number-secret',
      '046-went-back',
      '047-came-to',
      '048-names-in-mails',
      '049-made-live',
      '055-decisions-a-day',
      '060-given-ids',
    ])
    expect(await isMigrated(database.db)).toBe(true)
    await Promise.all(processes.map((db) => db.destroy()))
  })

  it('go on after a process was killed while it held the lock of knex', async () => {
    await empty()
    await migrate(database.db)
    await database.db('knex_migrations').where({ name: '002-plans' }).del()
    await database.db('subscription_plans').del()
    await database.db('knex_migrations_lock').update({ isLocked: 1 })
    expect(await isMigrated(database.db)).toBe(false)
    expect(await migrate(database.db)).toEqual(['002-plans'])
  })

  it('leave the three plans under their fixed ids', async () => {
    const plans = await database.db('subscription_plans').orderBy('id').select('id', 'tier', 'priceCents', 'eventLimit')
    expect(plans).toEqual([
      { id: 1, tier: 'single', priceCents: 2000, eventLimit: 1 },
      { id: 2, tier: 'multi', priceCents: 4900, eventLimit: 3 },
      { id: 3, tier: 'unlimited', priceCents: 14900, eventLimit: -1 },
    ])
  })
})

describe('a demo that an earlier version filled in', () => {
  it('is known as one, whatever was done with its accounts since, and nobody else is taken for it', async () => {
    await empty()
    await migrate(database.db)
    await seedDemo(database.db, new Date('2026-11-01T08:00:00.123Z'), async () => undefined)
    const { db } = database
    await db.raw('alter table users drop column demo_role, drop column closed_at; alter table promo_codes drop is_demo')
    await db('knex_migrations').where({ name: '035-demo-rows' }).del()
    await db('users').where({ username: 'ada' }).update({ email: 'me@harbor.example', passwordHash: 'mine' })
    await db('users').where({ username: 'otto' }).update({ username: 'Otto the Great', passwordHash: 'mine too' })
    // Whoever signed up on a live server under a name of the demo's.
    await db('users').insert({ username: 'ada2', email: 'ada@example.com', passwordHash: '-' })
    await db('promo_codes').insert({ code: 'OWN10', description: 'Our own', discountValue: 10 })
    expect(await migrate(db)).toEqual(['035-demo-rows'])
    expect(await db('users').orderBy('id').select('username', 'demoRole')).toEqual([
      { username: 'olivia', demoRole: 'organizer' },
      { username: 'Otto the Great', demoRole: 'organizer' },
      { username: 'ada', demoRole: 'admin' },
      { username: 'ada2', demoRole: null },
    ])
    expect(await db('promo_codes').where({ isDemo: false }).select('code')).toEqual([{ code: 'OWN10' }])
  })

  it('is not seen in people who signed up under its names at one and the same instant', async () => {
    await empty()
    await migrate(database.db)
    const { db } = database
    await db.raw('alter table users drop column demo_role, drop column closed_at; alter table promo_codes drop is_demo')
    await db('knex_migrations').where({ name: '035-demo-rows' }).del()
    const at = db.raw(`timestamptz '2026-11-01 08:00:00.123456Z'`)
    await db('users').insert([
      { username: 'ada', email: 'ada@example.com', passwordHash: '-', createdAt: at },
      { username: 'otto', email: 'otto@example.com', passwordHash: '-', createdAt: at },
    ])
    await db('promo_codes').insert({ code: 'WELCOME20', description: 'Our own', discountValue: 20 })
    await migrate(db)
    expect(await db('users').whereNotNull('demoRole')).toEqual([])
    expect(await db('promo_codes').where({ isDemo: true })).toEqual([])
  })
})

describe('values read from the database', () => {
  it('keep a calendar day, a clock time and a count as they are', async () => {
    const { rows } = await database.db.raw(
      `select date '2026-03-01' as day, time '09:30' as clock, bigint '9007199254740991' as big`,
    )
    expect(rows).toEqual([{ day: '2026-03-01', clock: '09:30', big: 9007199254740991 }])
  })

  it('refuse a whole number that would lose digits', async () => {
    await expect(database.db.raw(`select bigint '9007199254740993'`)).rejects.toThrow('does not fit a number')
  })
})
