import { expect, it } from 'vitest'
import { addSession, addUser } from '../testing/account-rows.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { fullSize } from '../testing/proof-size.ts'
import { eventBody } from '../testing/route-rig.ts'
import { prepareServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db, connectionString } = await setTestDatabase()
const userId = await addUser(db, 'Stella')
await addSubscription(db, userId, UNLIMITED)
const cookie = `sid=${await addSession(db, userId)}`

async function serverWithGrace(seconds: string): Promise<ServerProcess> {
  const env = { DATABASE_URL: connectionString, SHUTDOWN_GRACE_SECONDS: seconds }
  const server = await prepareServerProcess(env, { fromSource: true })
  await server.start()
  return server
}

const readiness = async (server: ServerProcess) => {
  const answer = await fetch(`${server.origin}/readyz`)
  return { status: answer.status, checks: await answer.json() }
}

it('told to stop, a server is red at once, answers until the grace is over and ends its work', async () => {
  const server = await serverWithGrace('3')
  const stream = await fetch(`${server.origin}/api/sync/stream`, { headers: { cookie } })
  const told = stream.text()
  const plan = await db.transaction()
  await plan('user_subscriptions').where({ userId }).forUpdate()
  const headers = { cookie, 'content-type': 'application/json' }
  const slow = fetch(`${server.origin}/api/events`, { method: 'POST', headers, body: JSON.stringify(eventBody()) })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await db.raw(waiting)).rows).toHaveLength(1)
  const stopped = server.stop()
  await expect
    .poll(() => readiness(server), { interval: 20 })
    .toMatchObject({ status: 503, checks: { draining: true } })
  expect((await fetch(`${server.origin}/api/events`)).status).toBe(200)
  expect(await told).toMatch(/event: come-back\n.*\n\n$/)
  await expect.poll(() => fetch(server.origin).catch(() => 'closed'), { interval: 20 }).toBe('closed')
  await plan.commit()
  expect((await slow).status).toBe(201)
  const answered = performance.now()
  expect(await stopped).toBe(0)
  // The client keeps the connection of its call, which is not waited for. A busy machine may need longer to end.
  if (fullSize) expect(performance.now() - answered).toBeLessThan(5_000)
})

it('a second signal ends it at once', async () => {
  const server = await serverWithGrace('600')
  const stopped = server.stop()
  await expect.poll(() => readiness(server), { interval: 20 }).toMatchObject({ status: 503 })
  expect(await server.stop()).toBe(1)
  expect(await stopped).toBe(1)
})
