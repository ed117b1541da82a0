import { beforeEach, describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { applicationBody } from '../testing/route-rig.ts'

const stage = setOrganizerStage()

let eventId: number

beforeEach(async () => {
  eventId = await createEvent()
})

const createEvent = async (changes: Record<string, unknown> = {}) => (await stage.publish(changes)).id
const apply = async (changes: Record<string, unknown> = {}, id = eventId) => await stage.apply(id, changes)
const jobs = async (keyStart: string) => await stage.db('jobs').where('key', 'like', `${keyStart}%`).orderBy('id')

describe('applying', () => {
  it('stores the application, hands out a token once and queues one alert per event and minute', async () => {
    stage.clock.now = new Date('2026-11-21T10:00:30Z')
    await stage
      .db('events')
      .where({ id: eventId })
      .update({ customQuestions: JSON.stringify(['Shirt size?']) })
    const answer = await apply({ customAnswers: [{ question: 'Shirt size?', answer: 'M' }] })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['eventId', 'firstName', 'id', 'lastName', 'status', 'token'])
    expect(Buffer.from(answer.body.token, 'base64url')).toHaveLength(32)
    const row = await stage.db('applications').where({ id: answer.body.id }).first()
    expect(row).toMatchObject({ status: 'pending', termsVersion: '2026-11', termsAcceptedAt: stage.clock.now })
    expect(row!.statusTokenHash).not.toContain(answer.body.token)

    await apply({ email: 'bo@example.com' })
    const alerts = await jobs(`push:event:${eventId}:`)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).toMatchObject({
      kind: 'new-application-push',
      payload: { eventId },
      runAt: new Date('2026-11-21T10:00:35Z'),
    })
    expect(stage.spent).toContain('application-address 192.0.2.1')
    expect(stage.spent).toContain(`application-event ${eventId}`)

    const list = await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })
    expect(list.body).toHaveLength(2)
    expect(list.body.find(({ id }) => id === answer.body.id)).toMatchObject({
      email: 'bea@example.com',
      customAnswers: [{ question: 'Shirt size?', answer: 'M' }],
      decisionNumber: 0,
      decidedOn: null,
    })
  })

  it('sent again with its key gets the first answer, token included', async () => {
    const call = {
      params: { eventId },
      body: applicationBody(),
      device: { id: 'tablet', name: 'Tablet' },
      key: '6e0e1c5c-3f0a-4f57-9e9e-6d8f6b1f2a10',
    }
    const first = await stage.run('applyAsBeacon', call)
    const second = await stage.run('applyAsBeacon', call)
    expect(second.text).toBe(first.text)
    expect(await stage.db('applications').where({ eventId })).toHaveLength(1)
  })

  it('twice with one address, in any case, is refused politely without telling about the first', async () => {
    await apply()
    const again = await apply({ email: 'BEA@example.com', firstName: 'Other' })
    expect(again.status).toBe(409)
    expect(again.body).toEqual({
      code: 'duplicate_application',
      message: 'Thank you, but we already have your application for this event.',
      requestId: 'rig',
    })
    expect((await apply({}, await createEvent())).status).toBe(201)
  })

  it.each([
    ['closed by hand', { applicationsClosed: true }, '2026-11-21T10:00:00Z'],
    ['after the deadline', { applicationsCloseAt: '2026-11-21T10:00:00Z' }, '2026-11-21T10:00:00Z'],
    ['after the end', { startDate: '2026-11-20', endDate: '2026-11-20' }, '2026-11-21T10:00:00Z'],
    ['at its end time', { startDate: '2026-11-20', endDate: '2026-11-20' }, '2026-11-21T03:00:00Z'],
  ])('%s is refused', async (_, changes, now) => {
    stage.clock.now = new Date(now)
    const answer = await apply({}, await createEvent(changes))
    expect(answer.body).toMatchObject({ code: 'not_allowed_now', message: 'Applications for this event are closed.' })
  })

  it('asks for the answers of this event only', async () => {
    const bare = { experience: '', expertise: '', whyBeacon: '', networkingStyle: '', bio: '' }
    const refused = await apply(bare)
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({
      experience: 'Required',
      expertise: 'Required',
      whyBeacon: 'Required',
      networkingStyle: 'Required',
      bio: 'Required',
    })
    const custom = await createEvent({
      showDefaultQuestions: false,
      customQuestions: ['Anything else?', 'Shirt size? *'],
    })
    expect((await apply(bare, custom)).body.fields).toEqual({ 'customAnswers.1': 'Required' })
    expect((await apply({ ...bare, customAnswers: [{ question: 'Shirt size? *', answer: 'M' }] }, custom)).status).toBe(
      201,
    )
  })

  it.each([
    ['a filled hidden field', { website: 'https://spam.example' }],
    ['a form filled in under three seconds', { filledInMs: 2999 }],
  ])('%s is refused openly, so that no person is deceived', async (_, changes) => {
    expect((await apply(changes)).status).toBe(400)
    expect(await stage.db('applications').where({ eventId })).toHaveLength(0)
  })

  it('takes three seconds as a person', async () => {
    expect((await apply({ filledInMs: 3000 })).status).toBe(201)
  })

  it('for a missing event or with a bad address is refused', async () => {
    expect((await apply({}, 999_999)).body).toMatchObject({ code: 'not_found', message: 'Event not found' })
    expect((await apply({ email: 'nobody' })).body.fields).toHaveProperty('email')
  })
})
