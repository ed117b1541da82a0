import { describe, expect, it } from 'vitest'
import { MULTI, SINGLE } from '../testing/billing-rows.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody } from '../testing/route-rig.ts'

const stage = setOrganizerStage()

const publish = async () => (await stage.run('createEvent', { as: stage.olivia, body: eventBody() })).body.id
const used = async () =>
  (await stage.db('user_subscriptions').where({ userId: stage.olivia.userId }).orderBy('id').select('eventsUsed')).map(
    (row) => row.eventsUsed,
  )

describe('an event that is deleted on its first day', () => {
  it('goes back to the subscription it was paid from, not to the newest', async () => {
    await stage.addSubscription(stage.olivia, SINGLE)
    const paidByFirst = await publish()
    await stage.addSubscription(stage.olivia, MULTI)
    await publish()
    expect(await used()).toEqual([1, 1])
    expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id: paidByFirst } })).status).toBe(204)
    expect(await used()).toEqual([0, 1])
  })

  it('goes back to nobody when its subscription is gone', async () => {
    const subscription = await stage.addSubscription(stage.olivia, SINGLE)
    const event = await publish()
    await stage.addSubscription(stage.olivia, MULTI)
    await publish()
    await stage.db('user_subscriptions').where({ id: subscription }).del()
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: event } })
    expect(await used()).toEqual([1])
  })
})
