import { deadlineOf, instantOf } from '#shared/time/event-time.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MULTI, SINGLE } from '../testing/billing-rows.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

describe('changing an event', () => {
  it('counts the edition, moves state and zone with the ZIP code, and tells both audiences', async () => {
    const event = await stage.publish()
    const answer = await stage.run('updateEvent', {
      as: stage.olivia,
      params: { id: event.id },
      body: eventBody({ zipCode: '98101', state: 'Washington', name: 'Moved' }),
      basis: event.basis,
    })
    expect(answer.body).toMatchObject({ name: 'Moved', edition: 2, timeZone: 'America/Los_Angeles' })
    expect([null, event.basis]).not.toContain(answer.body.basis)
    expect((await stage.run('getEvent', { params: { id: event.id } })).body).toMatchObject({
      name: 'Moved',
      timeZone: 'America/Los_Angeles',
    })
  })

  it('made on an older edition is a conflict that shows the present event', async () => {
    const event = await stage.publish()
    const params = { id: event.id }
    const edit = { as: stage.olivia, params, basis: event.basis }
    const made = await stage.run('updateEvent', { ...edit, body: eventBody({ name: 'From the tablet' }) })
    const conflict = await stage.run('updateEvent', { ...edit, body: eventBody({ name: 'From the phone' }) })
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({
      code: 'conflict',
      current: { name: 'From the tablet', edition: 2, basis: made.body.basis },
    })
  })

  it('offered again after a restore is a conflict on another state, though all is as wished', async () => {
    const event = await stage.publish()
    const wish = { as: stage.olivia, params: { id: event.id }, body: eventBody(), basis: randomUUID() }
    expect((await stage.run('updateEvent', { ...wish, again: true })).body).toMatchObject({
      code: 'conflict',
      current: { edition: 1 },
    })
    expect((await stage.run('updateEvent', wish)).status).toBe(200)
  })

  it('to what it already is succeeds and changes nothing', async () => {
    const event = await stage.publish({ applicationsCloseAt: '2099-02-01T10:00:00+02:00' })
    const params = { id: event.id }
    const body = eventBody({ name: 'Twice', applicationsCloseAt: '2099-02-01T08:00:00Z' })
    const edit = { as: stage.olivia, params, body, basis: event.basis }
    await stage.run('updateEvent', edit)
    const again = await stage.run('updateEvent', edit)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ name: 'Twice', edition: 2 })
  })

  it.each([
    ['without a state, where the ZIP code is three hours behind', { state: null, zipCode: '94103' }],
    ['in the smaller part of a state with two clocks', { state: 'Tennessee', zipCode: '37902' }],
    ['on an island across the date line', { state: null, zipCode: '96910' }],
  ])('keeps its deadline as it was typed, %s', async (_, place) => {
    const applicationsCloseAt = '2099-12-10T23:59'
    const days = { startDate: '2099-12-12', endDate: '2099-12-12' }
    const event = await stage.publish({ ...days, ...place, applicationsCloseAt })
    const moved = { ...days, state: 'California', zipCode: '94111', applicationsCloseAt }
    const params = { id: event.id }
    const edited = (await stage.run('updateEvent', { as: stage.olivia, params, body: eventBody(moved) })).body
    expect([event.applicationsCloseAt, edited.applicationsCloseAt]).toEqual([applicationsCloseAt, applicationsCloseAt])
    expect(deadlineOf(edited)).toEqual(instantOf('2099-12-10', '23:59', 'America/Los_Angeles'))
  })

  it.each([
    ['endDate', '9999-12-31'],
    ['startDate', '0206-12-05'],
    ['applicationsCloseAt', '9999-12-31T23:59'],
  ])('refuses a year that is a slip: %s %s', async (name, value) => {
    const body = eventBody({ [name]: value })
    const refused = await stage.run('createEvent', { as: stage.olivia, body })
    expect(refused.body).toMatchObject({ fields: { [name]: 'Please choose a year between 1900 and 2999' } })
  })

  it('takes a deadline given as an instant for the venue’s clock at that moment', async () => {
    const event = await stage.publish({ zipCode: '94103', applicationsCloseAt: '2099-12-11T09:59:00+02:00' })
    expect(event.applicationsCloseAt).toBe('2099-12-10T23:59')
  })

  it('brings a finished event back to the future while nobody has applied: its day was a slip', async () => {
    const event = await stage.publish({ startDate: '2006-12-05', endDate: '2006-12-05' })
    const moved = await stage.run('updateEvent', { as: stage.olivia, params: { id: event.id }, body: eventBody() })
    expect(moved.status).toBe(200)
  })

  it('may correct a finished event that has applications, and not move it into the future', async () => {
    const past = { startDate: '2026-12-01', endDate: '2026-12-01' }
    const event = await stage.publish(past)
    await stage.run('applyAsBeacon', { params: { eventId: event.id }, body: applicationBody() })
    stage.clock.now = new Date('2026-12-05T12:00:00Z')
    const params = { id: event.id }
    const moved = await stage.run('updateEvent', { as: stage.olivia, params, body: eventBody() })
    expect(moved.body).toMatchObject({
      code: 'not_allowed_now',
      message: 'This event has already ended. Please create a new event.',
    })
    expect(
      (await stage.run('updateEvent', { as: stage.olivia, params, body: eventBody({ ...past, name: 'Corrected' }) }))
        .status,
    ).toBe(200)
  })

  it('sets the template and the questions by its own call, with the same guard', async () => {
    const event = await stage.publish()
    const params = { eventId: event.id }
    const body = {
      customBeaconEmailSubject: 'Hi',
      customBeaconEmailBody: '',
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
    }
    const call = { as: stage.olivia, params, body, basis: event.basis }
    const answer = await stage.run('customizeEvent', call)
    expect(answer.body).toMatchObject({
      customBeaconEmailSubject: 'Hi',
      customBeaconEmailBody: null,
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
      edition: 2,
    })
    expect((await stage.run('customizeEvent', call)).body.edition).toBe(2)
    const other = { ...call, body: { ...body, customQuestions: [] } }
    expect((await stage.run('customizeEvent', other)).body.code).toBe('conflict')
    expect((await stage.run('getEvent', { params: { id: event.id } })).body).toMatchObject({
      customQuestions: ['Shirt size?'],
      showDefaultQuestions: false,
    })
  })
})

describe('deleting an event', () => {
  it('leaves slim tombstones for every audience and gives a fresh one back to the plan', async () => {
    const event = await stage.publish()
    expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })).status).toBe(204)
    expect((await stage.run('getEvent', { params: { id: event.id } })).status).toBe(404)
    expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })).status).toBe(404)
    expect((await stage.run('getSubscription', { as: stage.olivia })).body.subscription?.eventsUsed).toBe(0)
    expect(JSON.parse((await stage.feed(`account:${stage.olivia.userId}`)).at(-1)!.body!).subscription.eventsUsed).toBe(
      0,
    )
  })

  it('made on an older edit is a conflict that shows the present event, which stays', async () => {
    const event = await stage.publish()
    const call = { as: stage.olivia, params: { id: event.id } }
    const edited = await stage.run('updateEvent', {
      ...call,
      body: eventBody({ name: 'From the tablet' }),
      basis: event.basis,
    })
    const refused = await stage.run('deleteEvent', { ...call, basis: event.basis })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'conflict', current: { name: 'From the tablet', edition: 2 } })
    expect((await stage.run('getEvent', { params: { id: event.id } })).body).toMatchObject({ name: 'From the tablet' })
    expect((await stage.feed(`org:${stage.olivia.userId}`)).map(({ deleted }) => deleted)).not.toContain(true)
    expect((await stage.run('deleteEvent', { ...call, basis: edited.body.basis })).status).toBe(204)
    expect((await stage.run('getEvent', { params: { id: event.id } })).status).toBe(404)
  })

  it('with applications takes them along and keeps the use of the plan', async () => {
    const event = await stage.publish()
    const applied = await stage.apply(event.id)
    await stage.decide(applied.body.id, { status: 'approved' })
    expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })).status).toBe(204)
    expect((await stage.run('getSubscription', { as: stage.olivia })).body.subscription?.eventsUsed).toBe(1)
    const ids: Record<string, string> = { events: String(event.id), beacons: String(applied.body.id) }
    const rows = [
      ...(await stage.feed(`org:${stage.olivia.userId}`)),
      ...(await stage.feed('public')).filter((row) => row.docId === ids[row.collection]),
    ]
    expect(rows.map(({ collection }) => collection).sort()).toEqual(['applications', 'beacons', 'events', 'events'])
    expect(rows.every(({ deleted, body }) => deleted && body === null)).toBe(true)
  })

  it('that is a day old gives nothing back', async () => {
    const event = await stage.publish()
    await stage
      .db('events')
      .where({ id: event.id })
      .update({ createdAt: new Date(stage.clock.now.getTime() - 86_400_000) })
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
    expect((await stage.run('getSubscription', { as: stage.olivia })).body.subscription?.eventsUsed).toBe(1)
  })
  const create = async () => (await stage.run('createEvent', { as: stage.olivia, body: eventBody() })).body.id
  const used = async () =>
    await stage.db('user_subscriptions').where({ userId: stage.olivia.userId }).orderBy('id').pluck('eventsUsed')

  it('gives it back to the subscription that paid, and to none once that is gone', async () => {
    const first = await stage.addSubscription(stage.olivia, SINGLE)
    const paidByFirst = await create()
    await stage.addSubscription(stage.olivia, MULTI)
    const paidBySecond = await create()
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: paidByFirst } })
    expect(await used()).toEqual([0, 1])
    const again = await create()
    expect(await used()).toEqual([1, 1])
    await stage.db('user_subscriptions').where({ id: first }).del()
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: again } })
    expect(await used()).toEqual([1])
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: paidBySecond } })
    expect(await used()).toEqual([0])
  })
})
