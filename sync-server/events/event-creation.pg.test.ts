import { newId } from '#shared/record/new-id.ts'
import { planReasons } from '#shared/billing/plan.ts'
import { describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody, openPool } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

describe('creating an event', () => {
  it('answers the event, lists it for everyone and uses one of the plan', async () => {
    const event = await stage.publish({
      promoCode: 'SECRET',
      beaconInstructions: 'canary-instructions',
      customBeaconEmailBody: 'canary-mail',
    })
    expect(event).toMatchObject({
      organizerId: stage.olivia.userId,
      timeZone: 'America/Chicago',
      edition: 1,
      showDefaultQuestions: true,
    })

    const list = await stage.run('listEvents')
    expect(list.body).toHaveLength(1)
    expect(list.text).not.toMatch(/SECRET|canary/)
    const one = await stage.run('getEvent', { params: { id: event.id } })
    expect(one.body).toEqual(list.body[0])

    const subscription = await stage.run('getSubscription', { as: stage.olivia })
    expect(subscription.body.subscription?.eventsUsed).toBe(1)
    const [account] = await stage.feed(`account:${stage.olivia.userId}`)
    expect(JSON.parse(account!.body!)).toMatchObject({
      subscription: { eventsUsed: 1 },
      user: { subscriptionTier: 'unlimited' },
    })
    expect(JSON.parse((await stage.feed(`org:${stage.olivia.userId}`))[0]!.body!)).toEqual(event)
  })

  it.each([
    ['one plan of three', [2], 3],
    ['three plans of one', [1, 1, 1], 1],
  ])('makes exactly three events of forty that arrive together on %s', async (_, planIds, limit) => {
    for (const planId of planIds) await stage.addSubscription(stage.olivia, planId)
    await openPool(stage.db)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => stage.run('createEvent', { as: stage.olivia, body: eventBody() })),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(37)
    const refusal = { code: 'plan_limit', message: planReasons.used(limit) }
    for (const { status, body } of refused) expect([status, body]).toMatchObject([402, refusal])
    expect(await stage.db('events').where({ organizerId: stage.olivia.userId })).toHaveLength(3)
    const account = (await stage.feed(`account:${stage.olivia.userId}`)).at(-1)!
    expect(JSON.parse(account.body!).canCreateEvent).toEqual({
      canCreate: false,
      reason: planReasons.used(limit),
    })
  })

  it('refuses what the form refuses', async () => {
    const answer = await stage.run('createEvent', { as: stage.olivia, body: eventBody({ endDate: '2099-02-28' }) })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ endDate: 'The end date must not be before the start date' })
  })
})

describe('an id that the creator gave', () => {
  const create = (as: typeof stage.olivia, changes: Record<string, unknown>) =>
    stage.run('createEvent', { as, body: eventBody(changes) })

  it('is the event’s, and sent again by its owner is answered with the event as it is by now', async () => {
    await stage.addSubscription(stage.olivia, 3)
    const id = newId()
    expect((await create(stage.olivia, { id })).body.id).toBe(id)
    const fields = eventBody({ name: 'Renamed elsewhere' })
    await stage.run('updateEvent', { as: stage.olivia, params: { id }, body: fields })
    const again = await create(stage.olivia, { id })
    expect([again.status, again.body.id, again.body.name]).toEqual([201, id, 'Renamed elsewhere'])
    expect((await stage.run('getSubscription', { as: stage.olivia })).body.subscription?.eventsUsed).toBe(1)
  })

  it('of another organizer’s event is refused, and costs nothing of the plan', async () => {
    await stage.addSubscription(stage.olivia, 3)
    await stage.addSubscription(stage.otto, 3)
    const id = newId()
    await create(stage.olivia, { id })
    const taken = await create(stage.otto, { id })
    expect([taken.status, taken.body.code]).toEqual([409, 'already_exists'])
    expect((await stage.run('getSubscription', { as: stage.otto })).body.subscription?.eventsUsed).toBe(0)
  })

  it('has twelve digits; without one the server makes it', async () => {
    await stage.addSubscription(stage.olivia, 3)
    expect((await create(stage.olivia, { id: 12 })).body.fields).toHaveProperty('id')
    expect(String((await create(stage.olivia, {})).body.id)).toMatch(/^\d{12}$/)
  })
})
