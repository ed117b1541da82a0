import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OrganizerEvent } from '#shared/api/events.ts'
import { createKnex } from '../db/knex-config.ts'
import {
  applicationBody,
  createRouteRig,
  eventBody,
  openPool,
  type Person,
  type RouteRig,
} from '../testing/route-rig.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
let rig: RouteRig
let olivia: Person
let otto: Person
let round = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  rig = createRouteRig(database.db)
  round += 1
  await database.db('events').del()
  olivia = await rig.addPerson(`Olivia${round}`)
  otto = await rig.addPerson(`Otto${round}`)
})

async function publish(changes: Record<string, unknown> = {}): Promise<OrganizerEvent> {
  await rig.addSubscription(olivia, 3)
  const answer = await rig.run('createEvent', { as: olivia, body: eventBody(changes) })
  expect(answer.status).toBe(201)
  return answer.body
}

async function feed(
  scope: string,
): Promise<{ collection: string; doc_id: string; deleted: boolean; body: string | null }[]> {
  return await database
    .db('sync_log')
    .where({ scope })
    .orderBy('version')
    .select('collection', 'doc_id', 'deleted', 'body')
}

describe('creating an event', () => {
  it('answers the event, lists it for everyone and uses one of the plan', async () => {
    const event = await publish({
      promoCode: 'SECRET',
      beaconInstructions: 'canary-instructions',
      customBeaconEmailBody: 'canary-mail',
    })
    expect(event).toMatchObject({
      organizerId: olivia.userId,
      timeZone: 'America/Chicago',
      edition: 1,
      showDefaultQuestions: true,
    })

    const list = await rig.run('listEvents')
    expect(list.body).toHaveLength(1)
    expect(list.text).not.toMatch(/SECRET|canary/)
    const one = await rig.run('getEvent', { params: { id: event.id } })
    expect(one.body).toEqual(list.body[0])

    const subscription = await rig.run('getSubscription', { as: olivia })
    expect(subscription.body.subscription?.eventsUsed).toBe(1)
    const [account] = await feed(`account:${olivia.userId}`)
    expect(JSON.parse(account!.body!)).toMatchObject({
      subscription: { eventsUsed: 1 },
      user: { subscriptionTier: 'unlimited' },
    })
    expect(JSON.parse((await feed(`org:${olivia.userId}`))[0]!.body!)).toEqual(event)
  })

  it('is refused with the reason when there is no plan, the plan is used up, or it has expired', async () => {
    const create = async () => await rig.run('createEvent', { as: olivia, body: eventBody() })
    expect((await create()).body).toMatchObject({
      code: 'plan_limit',
      message: "You don't have an active subscription.",
    })
    await rig.addSubscription(olivia, 2, { events_used: 0, end_date: new Date('2026-03-01T12:00:00Z') })
    expect((await create()).body).toMatchObject({ message: 'Your subscription expired on March 1, 2026.' })
    await rig.addSubscription(olivia, 2, { events_used: 3 })
    const refused = await create()
    expect(refused.status).toBe(402)
    expect(refused.body).toMatchObject({ message: 'You have used all 3 events in your plan.' })
    expect((await rig.run('getSubscription', { as: olivia })).body.canCreateEvent).toEqual({
      canCreate: false,
      reason: 'You have used all 3 events in your plan.',
    })
    expect(await database.db('events').where({ organizer_id: olivia.userId })).toHaveLength(0)
  })

  it('takes from the oldest usable subscription first', async () => {
    const expired = await rig.addSubscription(olivia, 2, { end_date: new Date('2020-01-01') })
    const first = await rig.addSubscription(olivia, 1)
    const second = await rig.addSubscription(olivia, 2)
    for (let count = 0; count < 3; count += 1) await rig.run('createEvent', { as: olivia, body: eventBody() })
    const used = await database
      .db('user_subscriptions')
      .whereIn('id', [expired, first, second])
      .orderBy('id')
      .select('events_used')
    expect(used.map((row) => row.events_used)).toEqual([0, 1, 2])
  })

  it.each([
    ['one plan of three', [2], 3],
    ['three plans of one', [1, 1, 1], 1],
  ])('makes exactly three events of 200 that arrive together on %s', async (_, planIds, limit) => {
    for (const planId of planIds) await rig.addSubscription(olivia, planId)
    await openPool(database.db)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => rig.run('createEvent', { as: olivia, body: eventBody() })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 402)).toHaveLength(197)
    expect(await database.db('events').where({ organizer_id: olivia.userId })).toHaveLength(3)
    const account = (await feed(`account:${olivia.userId}`)).at(-1)!
    expect(JSON.parse(account.body!).canCreateEvent).toEqual({
      canCreate: false,
      reason: `You have used all ${limit} events in your plan.`,
    })
  })

  it('needs somebody signed in', async () => {
    expect((await rig.run('createEvent', { body: eventBody() })).status).toBe(401)
  })

  it('refuses what the form refuses', async () => {
    const answer = await rig.run('createEvent', { as: olivia, body: eventBody({ endDate: '2099-02-28' }) })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ endDate: 'The end date must not be before the start date' })
  })
})

describe('event numbers leased to a phone', () => {
  const phone = { id: 'phone-1', name: 'Phone' }

  it('become events once, and only their owner can use them', async () => {
    await rig.addSubscription(olivia, 3)
    await rig.addSubscription(otto, 3)
    const { body } = await rig.run('leaseEventIds', { as: olivia, device: phone, body: { count: 3 } })
    expect(new Set(body.ids).size).toBe(3)
    const [id, other] = body.ids
    const created = await rig.run('createEvent', { as: olivia, device: phone, body: eventBody({ id }) })
    expect(created.body.id).toBe(id)
    expect((await rig.run('createEvent', { as: olivia, body: eventBody({ id }) })).body.code).toBe('already_exists')
    const stranger = await rig.run('createEvent', { as: otto, body: eventBody({ id: other }) })
    expect(stranger.status).toBe(400)
    expect(stranger.body.fields).toHaveProperty('id')
    expect((await rig.run('getSubscription', { as: otto })).body.subscription?.eventsUsed).toBe(0)
    const next = await rig.run('createEvent', { as: olivia, body: eventBody() })
    expect(body.ids).not.toContain(next.body.id)
  })

  it('stay unused when the plan refuses, so that the event can be sent again', async () => {
    const { body } = await rig.run('leaseEventIds', { as: olivia, device: phone, body: { count: 1 } })
    const [id] = body.ids
    expect((await rig.run('createEvent', { as: olivia, body: eventBody({ id }) })).status).toBe(402)
    await rig.addSubscription(olivia, 1)
    expect((await rig.run('createEvent', { as: olivia, body: eventBody({ id }) })).body.id).toBe(id)
  })

  it('are not given without end', async () => {
    for (let count = 0; count < 20; count += 1) await rig.run('leaseEventIds', { as: olivia, body: { count: 20 } })
    expect((await rig.run('leaseEventIds', { as: olivia, body: { count: 1 } })).body.code).toBe('not_allowed_now')
  })
})

describe('the list of events', () => {
  it('holds what is upcoming by the clock of each place, by start date and name', async () => {
    await publish({ name: 'Zeta', startDate: '2026-03-01', endDate: '2026-03-01' })
    await publish({ name: 'alpha', startDate: '2026-03-01', endDate: '2026-03-01' })
    await publish({
      name: 'Honolulu',
      startDate: '2026-02-28',
      endDate: '2026-02-28',
      state: 'Hawaii',
      zipCode: '96813',
      city: 'Honolulu',
    })
    const names = async (now: string, query = {}) => {
      rig.clock.now = new Date(now)
      return (await rig.run('listEvents', { query })).body.map((event) => event.name)
    }
    expect(await names('2026-03-01T05:59:59Z')).toEqual(['Honolulu', 'alpha', 'Zeta'])
    expect(await names('2026-03-01T09:59:59Z')).toEqual(['Honolulu', 'alpha', 'Zeta'])
    expect(await names('2026-03-01T10:00:00Z')).toEqual(['alpha', 'Zeta'])
    expect(await names('2026-03-02T05:59:59Z')).toEqual(['alpha', 'Zeta'])
    expect(await names('2026-03-02T06:00:00Z')).toEqual([])
    expect(await names('2026-02-01T00:00:00Z', { state: 'Hawaii' })).toEqual(['Honolulu'])
    expect(await names('2026-02-01T00:00:00Z', { state: '' })).toHaveLength(3)
  })

  it('finds by distance from a ZIP code, the same code included, and nothing for an unknown one', async () => {
    await publish({ name: 'Chicago' })
    await publish({ name: 'Milwaukee', zipCode: '53202', state: 'Wisconsin', city: 'Milwaukee' })
    await publish({ name: 'Without', zipCode: null })
    const names = async (query: Record<string, string>) =>
      (await rig.run('listEvents', { query })).body.map((event) => event.name)
    expect(await names({ zipCode: '60611', radius: '10' })).toEqual(['Chicago'])
    expect(await names({ zipCode: '60611' })).toEqual(['Chicago'])
    expect(await names({ zipCode: '60611', radius: '100' })).toEqual(['Chicago', 'Milwaukee'])
    expect(await names({ zipCode: '60611', radius: '100', state: 'Wisconsin' })).toEqual(['Milwaukee'])
    expect(await names({ zipCode: '00000', radius: '250' })).toEqual([])
    expect(await names({ zipCode: '606', radius: '250' })).toEqual([])
  })

  it('lets a past event be reached by its address, and knows no missing one', async () => {
    const event = await publish({ startDate: '2020-01-01', endDate: '2020-01-01' })
    expect((await rig.run('getEvent', { params: { id: event.id } })).status).toBe(200)
    expect((await rig.run('getEvent', { params: { id: 999_999 } })).body).toMatchObject({
      code: 'not_found',
      message: 'Event not found',
    })
    expect((await rig.run('getEvent', { params: { id: 'x' } })).status).toBe(400)
  })

  it('shows an organizer their own events with counts', async () => {
    const event = await publish()
    await rig.run('applyAsBeacon', { params: { eventId: event.id }, body: applicationBody() })
    const own = await rig.run('listOrganizerEvents', { as: olivia })
    expect(own.body).toEqual([{ ...event, approvedCount: 0, pendingCount: 1 }])
    expect((await rig.run('listOrganizerEvents', { as: otto })).body).toEqual([])
  })
})

describe('changing an event', () => {
  it('counts the edition, moves the time zone with the ZIP code and tells both audiences', async () => {
    const event = await publish()
    const answer = await rig.run('updateEvent', {
      as: olivia,
      params: { id: event.id },
      body: eventBody({ zipCode: '98101', state: 'Washington', name: 'Moved', expectedEdition: 1 }),
    })
    expect(answer.body).toMatchObject({ name: 'Moved', edition: 2, timeZone: 'America/Los_Angeles' })
    expect((await rig.run('getEvent', { params: { id: event.id } })).body).toMatchObject({
      name: 'Moved',
      timeZone: 'America/Los_Angeles',
    })
  })

  it('made on an older edition is a conflict that shows the present event', async () => {
    const event = await publish()
    const params = { id: event.id }
    await rig.run('updateEvent', {
      as: olivia,
      params,
      body: eventBody({ name: 'From the tablet', expectedEdition: 1 }),
    })
    const conflict = await rig.run('updateEvent', {
      as: olivia,
      params,
      body: eventBody({ name: 'From the phone', expectedEdition: 1 }),
    })
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({ code: 'conflict', current: { name: 'From the tablet', edition: 2 } })
  })

  it('to what it already is succeeds and changes nothing', async () => {
    const event = await publish({ applicationsCloseAt: '2099-02-01T10:00:00+02:00' })
    const params = { id: event.id }
    const body = eventBody({ name: 'Twice', applicationsCloseAt: '2099-02-01T08:00:00Z', expectedEdition: 1 })
    await rig.run('updateEvent', { as: olivia, params, body })
    const again = await rig.run('updateEvent', { as: olivia, params, body })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ name: 'Twice', edition: 2 })
  })

  it('cannot bring a finished event back to the future, but may correct it', async () => {
    const past = { startDate: '2020-01-01', endDate: '2020-01-01' }
    const event = await publish(past)
    const params = { id: event.id }
    const moved = await rig.run('updateEvent', { as: olivia, params, body: eventBody() })
    expect(moved.body).toMatchObject({
      code: 'not_allowed_now',
      message: 'This event has already ended. Please create a new event.',
    })
    expect(
      (await rig.run('updateEvent', { as: olivia, params, body: eventBody({ ...past, name: 'Corrected' }) })).status,
    ).toBe(200)
  })

  it('sets the template and the questions by its own call, with the same guard', async () => {
    const event = await publish()
    const params = { eventId: event.id }
    const body = {
      customBeaconEmailSubject: 'Hi',
      customBeaconEmailBody: '',
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
      expectedEdition: 1,
    }
    const answer = await rig.run('customizeEvent', { as: olivia, params, body })
    expect(answer.body).toMatchObject({
      customBeaconEmailSubject: 'Hi',
      customBeaconEmailBody: null,
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
      edition: 2,
    })
    expect((await rig.run('customizeEvent', { as: olivia, params, body })).body.edition).toBe(2)
    expect(
      (await rig.run('customizeEvent', { as: olivia, params, body: { ...body, customQuestions: [] } })).body.code,
    ).toBe('conflict')
    expect((await rig.run('getEvent', { params: { id: event.id } })).body).toMatchObject({
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
    })
  })
})

describe('deleting an event', () => {
  it('leaves slim tombstones for every audience and gives a fresh one back to the plan', async () => {
    const event = await publish()
    expect((await rig.run('deleteEvent', { as: olivia, params: { id: event.id } })).status).toBe(204)
    expect((await rig.run('getEvent', { params: { id: event.id } })).status).toBe(404)
    expect((await rig.run('deleteEvent', { as: olivia, params: { id: event.id } })).status).toBe(404)
    expect((await rig.run('getSubscription', { as: olivia })).body.subscription?.eventsUsed).toBe(0)
    expect(JSON.parse((await feed(`account:${olivia.userId}`)).at(-1)!.body!).subscription.eventsUsed).toBe(0)
  })

  it('with applications takes them along and keeps the use of the plan', async () => {
    const event = await publish()
    const applied = await rig.run('applyAsBeacon', { params: { eventId: event.id }, body: applicationBody() })
    await rig.run('decideApplication', {
      as: olivia,
      params: { beaconId: applied.body.id },
      body: { status: 'approved' },
    })
    expect((await rig.run('deleteEvent', { as: olivia, params: { id: event.id } })).status).toBe(204)
    expect((await rig.run('getSubscription', { as: olivia })).body.subscription?.eventsUsed).toBe(1)
    const ids: Record<string, string> = { events: String(event.id), beacons: String(applied.body.id) }
    const rows = [
      ...(await feed(`org:${olivia.userId}`)),
      ...(await feed('public')).filter((row) => row.doc_id === ids[row.collection]),
    ]
    expect(rows.map(({ collection }) => collection).sort()).toEqual(['applications', 'beacons', 'events', 'events'])
    expect(rows.every(({ deleted, body }) => deleted && body === null)).toBe(true)
  })

  it('that is a day old gives nothing back', async () => {
    const event = await publish()
    await database
      .db('events')
      .where({ id: event.id })
      .update({ created_at: new Date(rig.clock.now.getTime() - 86_400_000) })
    await rig.run('deleteEvent', { as: olivia, params: { id: event.id } })
    expect((await rig.run('getSubscription', { as: olivia })).body.subscription?.eventsUsed).toBe(1)
  })
})

it('a stranger and a missing event get the same refusal from every call of the owner', async () => {
  const event = await publish()
  const calls = [
    ['updateEvent', 'id', eventBody()],
    ['deleteEvent', 'id', undefined],
    ['customizeEvent', 'eventId', { customQuestions: [] }],
    ['listApplications', 'id', undefined],
  ] as const
  for (const [name, param, body] of calls) {
    const stranger = await rig.run(name, { as: otto, params: { [param]: event.id }, body })
    const missing = await rig.run(name, { as: otto, params: { [param]: 999_999 }, body })
    expect(stranger.status).toBe(404)
    expect(stranger.text).toBe(missing.text)
    expect((await rig.run(name, { params: { [param]: event.id }, body })).status).toBe(401)
  }
})

describe('the list of events, which is kept as text', () => {
  const names = async (from = rig) => (await from.run('listEvents')).body.map(({ name }) => name)

  it('shows at once what another process published, changed or deleted', async () => {
    const other = createKnex(database.connectionString)
    try {
      const elsewhere = createRouteRig(other)
      const event = await publish({ name: 'First' })
      expect([await names(), await names(elsewhere)]).toEqual([['First'], ['First']])
      const body = eventBody({ name: 'Renamed' })
      await elsewhere.run('updateEvent', { as: olivia, params: { id: event.id }, body })
      expect(await names()).toEqual(['Renamed'])
      await rig.run('deleteEvent', { as: olivia, params: { id: event.id } })
      expect([await names(), await names(elsewhere)]).toEqual([[], []])
    } finally {
      await other.destroy()
    }
  })

  it('shows to everyone who asks at the same moment what was committed before', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      await publish({ name })
      const lists = await Promise.all(Array.from({ length: 20 }, () => names()))
      for (const list of lists) expect(list).toContain(name)
    }
  })

  it('drops an event in the moment its last day is over where it takes place', async () => {
    await publish({ name: 'Today', startDate: '2099-03-01', endDate: '2099-03-01', zipCode: '60611' })
    rig.clock.now = new Date('2099-03-02T05:59:59Z')
    expect(await names()).toEqual(['Today'])
    expect(await names()).toEqual(['Today'])
    rig.clock.now = new Date('2099-03-02T06:00:00Z')
    expect(await names()).toEqual([])
  })
})
