import { describe, expect, it } from 'vitest'
import { createRouteRig } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { accountChange } from './account-document.ts'

const { db } = await setTestDatabase()

describe('the account document', () => {
  it('of a transaction includes what another one of the same user committed just before it', async () => {
    const rig = createRouteRig(db)
    const olivia = await rig.addPerson('Olivia')
    const first = await rig.addSubscription(olivia, 1)
    const second = await rig.addSubscription(olivia, 2)
    const now = new Date()

    const one = await db.transaction()
    const other = await db.transaction()
    await one('user_subscriptions').where({ id: first }).increment('eventsUsed', 1)
    await accountChange(one, olivia.userId, now)
    await other('user_subscriptions').where({ id: second }).increment('eventsUsed', 1)
    const waiting = accountChange(other, olivia.userId, now)
    // Time enough for the second to have read too early, were it not waiting for the first.
    await db.raw('select pg_sleep(0.1)')
    await one.commit()
    const { document } = await waiting
    await other.commit()
    expect(document).toMatchObject({ subscription: { id: second, eventsUsed: 1 } })
  })
})
