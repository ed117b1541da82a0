import { describe, expect, it } from 'vitest'
import { deletedPassword } from '../accounts/user-store.ts'
import { addPayment, addPromoCode } from '../testing/billing-rows.ts'
import { createRouteRig, eventBody } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { startTestServer } from '../testing/test-server.ts'

const now = new Date('2026-11-21T05:30:00Z')

const { db } = await setTestDatabase()
const rig = createRouteRig(db)
const ada = await rig.addPerson('Ada', { isAdmin: true })
const olivia = await rig.addPerson('Olivia')
const otto = await rig.addPerson('Otto')
const ben = await rig.addPerson('Ben')
await rig.addSubscription(olivia, 2)
await rig.addSubscription(olivia, 1)
await rig.addSubscription(otto, 1)
for (const [who, endDate] of [
  // Half past eleven in the evening of the 20th in Chicago: the event of that day has not ended.
  [olivia, '2026-11-20'],
  [olivia, '2026-11-19'],
  [otto, '2026-11-19'],
] as const) {
  const made = await rig.run('createEvent', { as: who, body: eventBody() })
  await db('events').where({ id: made.body.id }).update({ startDate: endDate, endDate })
  if (who === otto) await db('user_subscriptions').where({ userId: otto.userId }).update({ endDate: now })
}
const gone = await rig.addPerson('Gone')
await rig.addSubscription(gone, 3)
await db('users').where({ id: gone.userId }).update({ passwordHash: deletedPassword })
await db('user_subscriptions').insert({ userId: ben.userId, planId: 3, startDate: new Date(0), status: 'cancelled' })
await addPayment(db, olivia.userId, { amountCents: 4500 })
await addPayment(db, olivia.userId, { amountCents: 1999 })
await addPayment(db, olivia.userId, { status: 'pending' })
await addPayment(db, olivia.userId, { status: 'failed' })
await addPayment(db, olivia.userId, { provider: 'demo' })
await addPayment(db, olivia.userId, { provider: 'free', amountCents: 0 })
await db('promo_codes').update({ currentUses: 0 })
await addPromoCode(db, 'ADMIN-COUNTS', { currentUses: 7 })
rig.clock.now = now

it('the platform in numbers counts coming events, running plans, money and used codes', async () => {
  const { body } = await rig.run('getAdminStats', { as: ada })
  expect(body).toEqual({
    totalUsers: 4,
    activeUsers: 1,
    totalEvents: 3,
    totalSubscriptions: 2,
    totalRevenue: 6499,
    promoCodeUses: 7,
  })
})

describe('the accounts', () => {
  it('are told with their plan, their events and whether one is to come', async () => {
    const { body } = await rig.run('listAccounts', { as: ada })
    const lines = body.map(({ username, subscription, eventCount, isActive }) => ({
      username,
      subscription,
      eventCount,
      isActive,
    }))
    const plans = await db('subscription_plans').where({ id: 2 }).first('name')
    expect(lines).toEqual([
      { username: 'Ada', subscription: null, eventCount: 0, isActive: false },
      { username: 'Olivia', subscription: { planName: plans?.name }, eventCount: 2, isActive: true },
      { username: 'Otto', subscription: null, eventCount: 1, isActive: false },
      { username: 'Ben', subscription: null, eventCount: 0, isActive: false },
    ])
    expect(JSON.stringify(body)).not.toContain('password')
  })

  it('come in pages to whoever asks for them, each account once', async () => {
    const first = await rig.run('listAccounts', { as: ada, query: { limit: '3' } })
    const rest = await rig.run('listAccounts', { as: ada, query: { limit: '3', after: String(first.body.at(-1)?.id) } })
    expect([...first.body, ...rest.body].map(({ username }) => username)).toEqual(['Ada', 'Olivia', 'Otto', 'Ben'])
  })

  it('close to an admin who is none any more with the next call', async () => {
    const server = await startTestServer({ db: db })
    const client = server.client()
    await client.signInAs(ada.userId)
    expect((await client.call('listAccounts')).status).toBe(200)
    await db('users').where({ id: ada.userId }).update({ isAdmin: false })
    expect((await client.call('listAccounts')).status).toBe(403)
    await server.close()
  })
})
