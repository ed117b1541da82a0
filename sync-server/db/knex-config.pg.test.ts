import { expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { isMigrated } from './migrate.ts'

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

await things().insert(thing)

it('rows are in camelCase, also plucked and changed ones; the inside of jsonb is as written', async () => {
  expect(await things()).toEqual([thing])
  expect(await things().where({ oddId: 1 }).first('oddData', 'p256Key')).toEqual({ oddData, p256Key: 'b' })
  expect(await things().where('odd_id', 1).first('line_2'), 'a name of PostgreSQL').toEqual({ line_2: 'c' })
  expect(await things().pluck('odd_things.ownerId')).toEqual([7])
  expect(await things().pluck('oddData')).toEqual([oddData])
  expect(await things().update({ ownerId: 8 }).returning(['oddId', 'madeAt'])).toEqual([
    { oddId: 1, madeAt: thing.madeAt },
  ])
})

it('nothing is switched off while a server looks whether it is migrated', async () => {
  const made = { madeAt: thing.madeAt }
  const [isReady, meanwhile] = await Promise.all([isMigrated(db), things().first('madeAt')])
  expect([isReady, meanwhile, await things().first('madeAt')]).toEqual([true, made, made])
})
