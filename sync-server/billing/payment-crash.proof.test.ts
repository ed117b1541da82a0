import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { addUser } from '../testing/account-rows.ts'
import { prepareServerProcess } from '../testing/server-process.ts'
import { startStripeService } from '../testing/stripe-service.ts'
import { createClient, type TestClient } from '../testing/test-server.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { webhookPath } from './stripe-webhook.ts'
import { fullSize } from '../testing/proof-size.ts'

let userId: number
let browser: TestClient
let round = 0

const { db, connectionString } = await setTestDatabase()
const stripe = await startStripeService({ webhookSecret: 'whsec_crash' })
const server = await prepareServerProcess(
  {
    DATABASE_URL: connectionString,
    DEMO_MODE: '0',
    STRIPE_SECRET_KEY: 'sk_test_crash',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_crash',
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_ORIGIN: stripe.origin,
  },
  { fromSource: true },
)
afterAll(async () => {
  await server.kill()
  await stripe.close()
})
await server.start()

beforeEach(async () => {
  round += 1
  userId = await addUser(db, `Olivia${round}`)
  browser = createClient(server.origin, { publicOrigin: server.origin }, db)
  await browser.signInAs(userId)
})

const begin = (key: string) => browser.call('createPaymentIntent', { body: { planId: 1 }, key })
const payments = () => db('payments').where({ userId })
const subscriptions = () => db('user_subscriptions').where({ userId })
const tell = () =>
  stripe.deliver(
    stripe.events.findLast(({ type }) => type === 'payment_intent.succeeded')!,
    {
      url: `${server.origin}${webhookPath}`,
    },
  )

async function dieDuring(call: () => Promise<unknown>): Promise<void> {
  await expect(call()).rejects.toThrow('fetch failed')
  await server.start()
}

it('a server that dies in the middle of settling has settled nothing, and the event that comes again settles it', async () => {
  const { body } = await begin(randomUUID())
  stripe.confirm(body.clientSecret)
  await db.transaction(async (trx) => {
    // Holds the server up inside its transaction, after the event was noted.
    await trx('users').where({ id: userId }).forUpdate().first('id')
    const told = tell().catch(() => 'no answer')
    await expect
      .poll(async () => {
        const { rows } = await db.raw<{ rows: unknown[] }>(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBe(1)
    await server.kill()
    expect(await told).toBe('no answer')
  })
  await server.start()
  expect(await subscriptions()).toEqual([])
  const noted = () => db('stripe_events').where({ paymentId: null })
  expect(await noted()).toEqual([])
  expect([await tell(), await tell()]).toEqual([200, 200])
  expect(await subscriptions()).toHaveLength(1)
  expect(await payments()).toMatchObject([{ status: 'paid' }])
}, 120_000)

if (fullSize) {
  it('a server that dies when Stripe has made the intent goes on with the same payment', async () => {
    const before = stripe.intents().length
    const key = randomUUID()
    stripe.beforeAnswer('/payment_intents', () => server.kill())
    await dieDuring(() => begin(key))
    const again = await begin(key)
    expect([again.status, again.body.payment]).toEqual([200, 'open'])
    expect((await begin(randomUUID())).body.clientSecret).toBe(again.body.clientSecret)
    expect(stripe.intents()).toHaveLength(before + 1)
    expect(await payments()).toMatchObject([{ status: 'pending' }])
  }, 120_000)

  it('a server that dies when Stripe has said that the card was charged gives the plan later, once', async () => {
    const { body } = await begin(randomUUID())
    stripe.confirm(body.clientSecret)
    stripe.beforeAnswer('/payment_intents/', () => server.kill())
    await dieDuring(() => browser.call('getSubscription'))
    expect(await subscriptions()).toEqual([])
    // Stripe is asked about a payment at most once a second, and the server may have been back sooner than that.
    const plan = async () => (await browser.call('getSubscription')).body.subscription
    await expect.poll(plan, { timeout: 10_000 }).toMatchObject({ planId: 1 })
    expect(await tell()).toBe(200)
    expect(await subscriptions()).toHaveLength(1)
    expect(await payments()).toMatchObject([{ status: 'paid' }])
  }, 120_000)
}
