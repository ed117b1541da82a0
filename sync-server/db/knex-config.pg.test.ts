import { beforeEach, describe, expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { isMigrated, migrateWithin } from './migrate.ts'
import { migrationSource } from './migrations/migrations.ts'

const { db } = await setTestDatabase()
await db.raw(
  `create table odd_things (
     odd_id int primary key, p256dh text, p256_key text, line_2 text, made_at timestamptz, odd_data jsonb, owner_id int
   )`,
)
await db.raw('create table thing_owners (owner_id int primary key, owner_name text)')

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
  await db('thing_owners').del()
  await things().insert(thing)
  await db('thing_owners').insert({ ownerId: 7, ownerName: 'Ada' })
})

describe('rows', () => {
  it('are in camelCase, and what is inside of jsonb is as it was written', async () => {
    expect(await things().select('*')).toEqual([thing])
    expect(await things()).toEqual([thing])
    expect(await things().first()).toEqual(thing)
    expect(await things().where({ oddId: 2 }).first()).toBeUndefined()
    expect(await things().first('oddData')).toEqual({ oddData })
    expect(await things().select('oddId', 'p256Key')).toEqual([{ oddId: 1, p256Key: 'b' }])
  })

  it('are found, ordered, grouped and changed by names in camelCase; names in snake case are understood too', async () => {
    await things().insert({ ...thing, oddId: 2, oddData: JSON.stringify([1]) })
    expect(
      await things().where({ ownerId: 7 }).where('madeAt', '<', new Date()).orderBy('oddId', 'desc').pluck('oddId'),
    ).toEqual([2, 1])
    expect(await things().groupBy('ownerId').count({ howMany: '*' }).select('ownerId')).toEqual([
      { ownerId: 7, howMany: 2 },
    ])
    expect(await things().max('oddId as newestId').first()).toEqual({ newestId: 2 })
    expect(await things().where({ oddId: 1 }).update({ p256Key: 'z', line_2: 'y' })).toBe(1)
    expect(await things().where('odd_id', 1).first('p256_key', 'line_2')).toEqual({ p256Key: 'z', line_2: 'y' })
    expect(await things().whereNotNull('madeAt').increment('ownerId', 1)).toBe(2)
    const again = { ...thing, p256Key: 'x' }
    expect(await things().insert(again).onConflict('oddId').merge(['p256Key']).returning(['oddId', 'p256Key'])).toEqual(
      [{ oddId: 1, p256Key: 'x' }],
    )
  })

  it('come back from what changes them', async () => {
    expect(await things().where({ oddId: 1 }).update({ ownerId: 8 }).returning('ownerId')).toEqual([{ ownerId: 8 }])
    expect(
      await things()
        .insert({ ...thing, oddId: 3 })
        .returning('*'),
    ).toEqual([{ ...thing, oddId: 3 }])
    expect(await things().where({ oddId: 3 }).del().returning(['oddId', 'madeAt'])).toEqual([
      { oddId: 3, madeAt: thing.madeAt },
    ])
  })

  it('may be plucked, jsonb too', async () => {
    expect(await things().pluck('p256Key')).toEqual(['b'])
    expect(await things().pluck('odd_things.ownerId')).toEqual([7])
    expect(await things().pluck('oddData')).toEqual([oddData])
  })

  it('are joined under their aliases', async () => {
    const joined = db('odd_things as t')
      .join('thing_owners as o', 'o.ownerId', 't.ownerId')
      .where({ 't.oddId': 1, 'o.ownerName': 'Ada' })
    expect(await joined.clone().first('t.oddId', 'o.ownerName as calledSo')).toEqual({ oddId: 1, calledSo: 'Ada' })
    expect(await joined.clone().select('t.*', 'o.ownerName')).toEqual([{ ...thing, ownerName: 'Ada' }])
    expect(await joined.clone().select({ itsKey: 't.p256Key' })).toEqual([{ itsKey: 'b' }])
  })
})

describe('SQL text', () => {
  it('answers rows in camelCase, each of several statements, and leaves aliases in camelCase alone', async () => {
    const { rows } = await db.raw('select odd_id, odd_data, owner_id as "ownerToo" from odd_things')
    expect(rows).toEqual([{ oddId: 1, oddData, ownerToo: 7 }])
    const results = await db.raw('select odd_id from odd_things; select owner_name from thing_owners')
    expect(results.map((result: { rows: unknown }) => result.rows)).toEqual([[{ oddId: 1 }], [{ ownerName: 'Ada' }]])
    const written = await db.raw('update odd_things set owner_id = 8')
    expect([written.rowCount, written.rows]).toEqual([1, []])
    const named = db.raw('select ?? from ??', ['oddId', 'odd_things'])
    expect((await named).rows).toEqual([{ oddId: 1 }])
  })

  it('in a transaction, and in one inside of it, answers alike', async () => {
    await db.transaction(async (trx) => {
      expect(await trx<Odd>('odd_things').first('madeAt')).toEqual({ madeAt: thing.madeAt })
      await trx.transaction(async (step) => {
        expect((await step.raw('select made_at from odd_things')).rows).toEqual([{ madeAt: thing.madeAt }])
      })
    })
  })
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
