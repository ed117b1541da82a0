import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../testing/account-rows.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { startPgBouncer } from '../testing/pg-bouncer.ts'
import { sized } from '../testing/proof-size.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { prepareServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createClient, type TestClient } from '../testing/test-server.ts'
import { startTransactionPooler, type TransactionPooler } from '../testing/transaction-pooler.ts'

const poolers = [
  { name: 'our own', startPooler: startTransactionPooler },
  { name: 'PgBouncer', startPooler: startPgBouncer },
]
const many = 30

describe.each(sized(poolers, poolers.slice(0, 1)))('two servers behind a pooler of transactions ($name)', (made) => {
  let database: TestDatabase
  let pooler: TransactionPooler
  let one: ServerProcess
  let other: ServerProcess
  let userId: number
  /** Signed in, of each server one. */
  let clients: TestClient[]

  beforeAll(async () => {
    database = await createTestDatabase()
    pooler = await made.startPooler(database.connectionString)
    const env = { DATABASE_URL: pooler.connectionString, DATABASE_DIRECT_URL: database.connectionString }
    one = await prepareServerProcess(env, { fromSource: true })
    other = await prepareServerProcess(env, { fromSource: true })
    await Promise.all([one.start(), other.start()])
    userId = await addUser(database.db, 'Pola')
    await addSubscription(database.db, userId, UNLIMITED)
    clients = [one, other].map(({ origin }) => createClient(origin, { publicOrigin: origin }, database.db))
    for (const client of clients) await client.signInAs(userId)
  })
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()])
    await pooler.close()
    await database.drop()
  })

  it('answer many calls at once, each in its transaction, and a repeated one by the first answer', async () => {
    const keys = Array.from({ length: many }, () => randomUUID())
    const call = async (key: string, n: number) => {
      const { status, text } = await clients[n % 2]!.call('createEvent', {
        body: eventBody({ name: `Event ${n}` }),
        key,
      })
      return { status, text }
    }
    const first = await Promise.all(keys.map(call))
    expect(first.map(({ status }) => status)).toEqual(keys.map(() => 201))
    expect(await Promise.all(keys.toReversed().map((key, n) => call(key, many - 1 - n)))).toEqual(first.toReversed())
    expect(await database.db('events').where({ organizerId: userId })).toHaveLength(many)
  })

  it('take a batch, of which the live stream of the other one tells', async () => {
    const leaving = new AbortController()
    const headers = { cookie: `sid=${clients[0]!.cookies.get('sid')}` }
    const stream = await fetch(`${one.origin}/api/sync/stream`, { headers, signal: leaving.signal })
    const heard = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await heard.read()
    const entries = Array.from({ length: many }, () => {
      return { key: randomUUID(), route: 'createEvent', lane: randomUUID(), body: eventBody({ name: 'Of a batch' }) }
    })
    const answer = await clients[1]!.call('replayMutations', { body: { account: userId, entries } })
    const verdicts: { status: number; version: number }[] = answer.body
    expect(verdicts.map(({ status }) => status)).toEqual(entries.map(() => 201))
    let told = ''
    while (!told.includes(`"version":${verdicts.at(-1)?.version}`)) told += (await heard.read()).value
    leaving.abort()
  })

  it('do the job of a change', async () => {
    const event = await database.db('events').where({ organizerId: userId }).first('id')
    await clients[0]!.ok('applyAsBeacon', { params: { eventId: event!.id }, body: applicationBody() })
    const job = async () => await database.db('jobs').where('key', 'like', 'acknowledgement:%').first('state')
    await expect.poll(job).toEqual({ state: 'done' })
  })

  it('say at a start which time limits their connections lack, until the role has them', async () => {
    expect(one.output()).toContain(
      '"settings":["statement_timeout","lock_timeout","idle_in_transaction_session_timeout"]',
    )
    const { rows } = await database.db.raw('select current_user as role, current_database() as name')
    for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await database.db.raw(`alter role ${rows[0].role} in database ${rows[0].name} set ${setting} = '20s'`)
    const anew = await made.startPooler(database.connectionString)
    const env = { DATABASE_URL: anew.connectionString, DATABASE_DIRECT_URL: database.connectionString }
    const limited = await prepareServerProcess(env, { fromSource: true })
    await limited.start()
    expect(limited.output()).not.toContain('time limits')
    expect(await limited.stop()).toBe(0)
    await anew.close()
  })
})
