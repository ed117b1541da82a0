import { expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { createKnex } from './knex-config.ts'
import { runPrepared } from './prepared.ts'

const { connectionString } = await setTestDatabase()

it.each([
  ['keeps a statement under its name', null, ['answer']],
  ['keeps none where a pooler may lend another connection', connectionString, []],
])('a connection %s', async (_, directUrl, kept) => {
  const db = createKnex(connectionString, { directUrl, poolSize: 1 })
  expect(await runPrepared(db, 'answer', 'select ?::int as my_answer', [42])).toEqual([{ myAnswer: 42 }])
  expect((await db.raw('select name from pg_prepared_statements')).rows).toEqual(kept.map((name) => ({ name })))
  await db.destroy()
})
