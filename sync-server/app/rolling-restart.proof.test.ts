import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { addUser } from '../testing/account-rows.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { startSmtpService } from '../testing/mail/smtp-service.ts'
import { fullSize, sized } from '../testing/proof-size.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { prepareServerProcess, type ServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { startPgBouncer } from '../testing/pg-bouncer.ts'
import { createClient } from '../testing/test-server.ts'

const rounds = sized(2, 1)
const webs = sized(3, 2)
const workers = sized(2, 1)
const writeEveryMs = sized(20, 80)
/** Enough that none has more applicants than one may have in an hour. */
const events = 12
/** Of the proxy: how often it asks a process whether it is ready, and how long a process waits for that. */
const askEveryMs = 100
const graceSeconds = '0.5'

const eventIds: number[] = []

const { db, connectionString } = await setTestDatabase()
const pooler = fullSize ? await startPgBouncer(connectionString) : undefined
const post = await startSmtpService()
const env = {
  DATABASE_URL: pooler?.connectionString ?? connectionString,
  ...(pooler ? { DATABASE_DIRECT_URL: connectionString } : {}),
  SHUTDOWN_GRACE_SECONDS: graceSeconds,
  TRUST_PROXY: '1',
  SMTP_URL: post.url,
  MAIL_FROM: 'Beaconry <hello@beaconry.example>',
  LOG_LEVEL: 'error',
}
const prepare = async (count: number, ROLE: string) =>
  await Promise.all(Array.from({ length: count }, () => prepareServerProcess({ ...env, ROLE })))
const web = await prepare(webs, 'web')
const jobs = await prepare(workers, 'jobs')
afterAll(async () => {
  await Promise.all([...web, ...jobs].map((server) => server.kill()))
  await post.close()
  await pooler?.close()
})
await Promise.all([...web, ...jobs].map((server) => server.start()))
for (let n = 0; n < events; n += 1) await publish(n)

/** Of an organizer of its own, whose mails are not held back. */
async function publish(n: number): Promise<void> {
  const userId = await addUser(db, `Rolf${n}`)
  await db('users').where({ id: userId }).update({ emailVerifiedAt: new Date() })
  await addSubscription(db, userId, UNLIMITED)
  const { origin } = web[0]!
  const organizer = createClient(origin, { publicOrigin: origin }, db)
  await organizer.signInAs(userId)
  eventIds.push((await organizer.ok('createEvent', { body: eventBody() })).id)
}

/** A proxy that sends calls to those that say they are ready, until `stop` is called. */
function startAsking(): { next(): ServerProcess; stop(): Promise<void> } {
  const ready = new Set(web)
  let turn = 0
  let stopped = false
  const asking = web.map(async (server) => {
    while (!stopped) {
      const answer = await fetch(`${server.origin}/readyz`).catch(() => undefined)
      if (answer?.ok) ready.add(server)
      else ready.delete(server)
      await answer?.arrayBuffer()
      await delay(askEveryMs)
    }
  })
  return {
    next: () => [...ready][(turn += 1) % ready.size] ?? web[0]!,
    stop: async () => {
      stopped = true
      await Promise.all(asking)
    },
  }
}

/** Undefined without a whole answer in time. */
async function send(url: URL, request: RequestInit, patienceMs: number) {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(patienceMs) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}

it('processes restarted in turns lose no write, do none twice, and send each mail once', async () => {
  const proxy = startAsking()
  let retries = 0

  /** Sends until it is answered, under the same key; answers the application's id. */
  async function apply(n: number): Promise<number> {
    const { method, url: path } = requestFor('applyAsBeacon', { eventId: String(eventIds[n % events]) })
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${n >> 8}.${n & 255}`,
      [wire.idempotencyKey]: randomUUID(),
    }
    const body = JSON.stringify(applicationBody({ email: `bea${n}@example.com` }))
    // Of some the client does not wait for the first answer, which may be written all the same.
    let patienceMs = n % 5 === 0 ? 15 : 60_000
    for (;;) {
      const answer = await send(new URL(path, proxy.next().origin), { method, headers, body }, patienceMs)
      if (answer?.status === 201) return (JSON.parse(answer.text) as { id: number }).id
      if (answer && answer.status < 500) throw new Error(`a write was refused: ${answer.status} ${answer.text}`)
      retries += 1
      patienceMs = 60_000
      await delay(50)
    }
  }

  let isRolling = true
  const rolling = (async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const server of [...web, ...jobs]) {
        expect(await server.stop(), server.output()).toBe(0)
        await server.start()
        // The proxy notices that it is back before the next one leaves.
        await delay(3 * askEveryMs)
      }
    }
  })().finally(() => (isRolling = false))
  const writes: Promise<number>[] = []
  while (isRolling) {
    writes.push(apply(writes.length))
    await delay(writeEveryMs)
  }
  await rolling
  const ids = await Promise.all(writes)
  await proxy.stop()

  expect(ids.length).toBeGreaterThan(sized(1000, 20))
  expect(retries).toBeGreaterThan(0)
  const stored = await db('applications').whereIn('eventId', eventIds).select('id')
  expect(stored.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
  const unsent = async () =>
    await db('mails').whereIn('eventId', eventIds).where({ kind: 'acknowledgement' }).whereNot({ state: 'sent' })
  await expect.poll(unsent, { interval: 200 }).toEqual([])
  const acknowledged = post.received.flatMap(({ to }) => to).filter((to) => to.startsWith('bea'))
  expect(acknowledged.toSorted()).toEqual(ids.map((_, n) => `bea${n}@example.com`).toSorted())
}, 300_000)
