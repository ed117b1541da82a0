import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { addUser } from '../testing/account-rows.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { startPgBouncer } from '../testing/pg-bouncer.ts'
import { fullSize } from '../testing/proof-size.ts'
import { eventBody } from '../testing/route-rig.ts'
import { prepareServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { createClient } from '../testing/test-server.ts'

const many = 30

const { db, connectionString } = await setTestDatabase()
const pooler = fullSize ? await startPgBouncer(connectionString) : undefined
const env: Record<string, string> = pooler
  ? { DATABASE_URL: pooler.connectionString, DATABASE_DIRECT_URL: connectionString }
  : { DATABASE_URL: connectionString }
const servers = [
  await prepareServerProcess(env, { fromSource: true }),
  await prepareServerProcess(env, { fromSource: true }),
] as const
const [one] = servers
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await pooler?.close()
})
await Promise.all(servers.map((server) => server.start()))
const userId = await addUser(db, 'Pola')
await addSubscription(db, userId, UNLIMITED)
/** Signed in, of each server one. */
const clients = servers.map(({ origin }) => createClient(origin, { publicOrigin: origin }, db))
for (const client of clients) await client.signInAs(userId)

describe(`two servers${pooler ? ' behind PgBouncer' : ''}`, () => {
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

  if (pooler) {
    it('say at a start which time limits their connections lack, until the role has them', async () => {
      expect(one.output()).toContain(
        '"settings":["statement_timeout","lock_timeout","idle_in_transaction_session_timeout"]',
      )
      const { rows } = await db.raw('select current_user as role, current_database() as name')
      for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        await db.raw(`alter role ${rows[0].role} in database ${rows[0].name} set ${setting} = '20s'`)
      const anew = await startPgBouncer(connectionString)
      const env = { DATABASE_URL: anew.connectionString, DATABASE_DIRECT_URL: connectionString }
      const limited = await prepareServerProcess(env, { fromSource: true })
      await limited.start()
      expect(limited.output()).not.toContain('time limits')
      expect(await limited.stop()).toBe(0)
      await anew.close()
    })
  }
})
