import { beforeEach, expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { isMigrated, migrateWithin } from './migrate.ts'
import { migrationSource } from './migrations/migrations.ts'

const { db } = await setTestDatabase()
await db.raw(
  `create table odd_things (
     odd_id int primary key, p256dh text, p256_key text, line_2 text, made_at timestamptz, odd_data jsonb, owner_id int
   )`,
)

interface Odd {
  oddId: number
  p256dh: string
  p256Key: string
  line_2: string
  madeAt: Date
  oddData: unknown
  ownerId: number
}

const oddData = { in_there: { even_deeper: [{ and_here: 1 }] }, camelToo: true }
const thing: Odd = { oddId: 1, p256dh: 'a', p256Key: 'b', line_2: 'c', madeAt: new Date(0), oddData, ownerId: 7 }

const things = () => db<Odd>('odd_things')

beforeEach(async () => {
  await db('odd_things').del()
  await things().insert(thing)
})

it('rows are in camelCase, plucked ones and those of what changes them too, and the inside of jsonb is as it was written', async () => {
  expect(await things()).toEqual([thing])
  expect(await things().where({ oddId: 1 }).first('oddData', 'p256Key')).toEqual({ oddData, p256Key: 'b' })
  expect(await things().where('odd_id', 1).first('line_2'), 'a name of PostgreSQL').toEqual({ line_2: 'c' })
  expect(await things().pluck('odd_things.ownerId')).toEqual([7])
  expect(await things().pluck('oddData')).toEqual([oddData])
  expect(await things().update({ ownerId: 8 }).returning(['oddId', 'madeAt'])).toEqual([
    { oddId: 1, madeAt: thing.madeAt },
  ])
})

it('a migration in a transaction leaves names as they were, for what follows in it and after it', async () => {
  await db.transaction(async (trx) => {
    for (const _ of ['once', 'twice']) {
      await migrateWithin(trx, migrationSource)
      expect(await trx<Odd>('odd_things').where({ oddId: 1 }).first('madeAt')).toEqual({ madeAt: thing.madeAt })
    }
  })
  expect(await things().where({ oddId: 1 }).first('madeAt')).toEqual({ madeAt: thing.madeAt })
})

it('what knex asks for itself is answered as PostgreSQL says it, and nothing is switched off meanwhile', async () => {
  const [isReady, columns, row] = await Promise.all([
    isMigrated(db),
    db('odd_things').columnInfo(),
    things().first('madeAt'),
  ])
  expect([isReady, row]).toEqual([true, { madeAt: thing.madeAt }])
  expect(Object.keys(columns)).toContain('made_at')
  expect(await db.schema.hasColumn('odd_things', 'made_at')).toBe(true)
  expect(await things().first('madeAt')).toEqual({ madeAt: thing.madeAt })
})
