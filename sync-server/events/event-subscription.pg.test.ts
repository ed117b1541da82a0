import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRouteRig, eventBody, type Person, type RouteRig } from '../testing/route-rig.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const SINGLE = 1
const MULTI = 2
let database: TestDatabase
let rig: RouteRig
let olivia: Person
let round = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  rig = createRouteRig(database.db)
  round += 1
  olivia = await rig.addPerson(`Olivia${round}`)
})

const publish = async () => (await rig.run('createEvent', { as: olivia, body: eventBody() })).body.id
const used = async () =>
  (await database.db('user_subscriptions').where({ user_id: olivia.userId }).orderBy('id').select('events_used')).map(
    (row) => row.events_used,
  )

describe('an event that is deleted on its first day', () => {
  it('goes back to the subscription it was paid from, not to the newest', async () => {
    await rig.addSubscription(olivia, SINGLE)
    const paidByFirst = await publish()
    await rig.addSubscription(olivia, MULTI)
    await publish()
    expect(await used()).toEqual([1, 1])
    expect((await rig.run('deleteEvent', { as: olivia, params: { id: paidByFirst } })).status).toBe(204)
    expect(await used()).toEqual([0, 1])
  })

  it('goes back to nobody when its subscription is gone', async () => {
    const subscription = await rig.addSubscription(olivia, SINGLE)
    const event = await publish()
    await rig.addSubscription(olivia, MULTI)
    await publish()
    await database.db('user_subscriptions').where({ id: subscription }).del()
    await rig.run('deleteEvent', { as: olivia, params: { id: event } })
    expect(await used()).toEqual([1])
  })
})
