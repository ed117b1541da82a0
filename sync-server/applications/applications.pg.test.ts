import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishEverything } from '../events/publish-all.ts'
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
let eventId: number
let round = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  rig = createRouteRig(database.db)
  round += 1
  olivia = await rig.addPerson(`Olivia${round}`)
  otto = await rig.addPerson(`Otto${round}`)
  await rig.addSubscription(olivia, 3)
  eventId = await createEvent()
})

async function createEvent(changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await rig.run('createEvent', { as: olivia, body: eventBody(changes) })
  expect(answer.status).toBe(201)
  return answer.body.id
}

const apply = async (changes: Record<string, unknown> = {}, id = eventId) =>
  await rig.run('applyAsBeacon', { params: { eventId: id }, body: applicationBody(changes) })

async function applicant(changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await apply(changes)
  expect(answer.status).toBe(201)
  return answer.body.id
}

const decide = async (
  beaconId: number,
  body: Record<string, unknown>,
  device = { id: 'phone', name: "Olivia's phone" },
) => await rig.run('decideApplication', { as: olivia, device, params: { beaconId }, body })

const jobs = async (keyStart: string) => await database.db('jobs').where('key', 'like', `${keyStart}%`).orderBy('id')

describe('applying', () => {
  it('stores the application, hands out a token once and queues one alert per event and minute', async () => {
    rig.clock.now = new Date('2026-11-21T10:00:30Z')
    const answer = await apply({ customAnswers: [{ question: 'Shirt size?', answer: 'M' }] })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['eventId', 'firstName', 'id', 'lastName', 'status', 'token'])
    expect(Buffer.from(answer.body.token, 'base64url')).toHaveLength(32)
    const row = await database.db('applications').where({ id: answer.body.id }).first()
    expect(row).toMatchObject({ status: 'pending', terms_version: '2026-11', terms_accepted_at: rig.clock.now })
    expect(row!.status_token_hash).not.toContain(answer.body.token)

    await apply({ email: 'bo@example.com' })
    const alerts = await jobs(`push:event:${eventId}:`)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).toMatchObject({
      kind: 'new-application-push',
      payload: { eventId },
      run_at: new Date('2026-11-21T10:00:35Z'),
    })
    expect(rig.spent).toContain('application-address 192.0.2.1')
    expect(rig.spent).toContain(`application-event ${eventId}`)

    const list = await rig.run('listApplications', { as: olivia, params: { id: eventId } })
    expect(list.body).toHaveLength(2)
    expect(list.body[0]).toMatchObject({
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
    const first = await rig.run('applyAsBeacon', call)
    const second = await rig.run('applyAsBeacon', call)
    expect(second.text).toBe(first.text)
    expect(await database.db('applications').where({ event_id: eventId })).toHaveLength(1)
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
    rig.clock.now = new Date(now)
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
    expect(await database.db('applications').where({ event_id: eventId })).toHaveLength(0)
  })

  it('takes three seconds as a person', async () => {
    expect((await apply({ filledInMs: 3000 })).status).toBe(201)
  })

  it('for a missing event or with a bad address is refused', async () => {
    expect((await apply({}, 999_999)).body).toMatchObject({ code: 'not_found', message: 'Event not found' })
    expect((await apply({ email: 'nobody' })).body.fields).toHaveProperty('email')
  })
})

describe('deciding', () => {
  it('approves, shows the Beacon to everyone and queues a mail that waits a minute', async () => {
    const id = await applicant()
    const answer = await decide(id, { status: 'approved', expectedDecisionNumber: 0 })
    expect(answer.body).toMatchObject({
      status: 'approved',
      decisionNumber: 1,
      decidedOn: "Olivia's phone",
      decidedAt: rig.clock.now.toISOString(),
    })
    const beacons = await rig.run('listBeacons', { params: { id: eventId } })
    expect(beacons.body).toEqual([
      {
        id,
        eventId,
        firstName: 'Bea',
        lastName: 'Moss',
        company: null,
        jobTitle: null,
        bio: 'I introduce people to each other.',
        linkedinUrl: null,
      },
    ])
    const [mail] = await jobs(`decision-mail:${id}:`)
    expect(mail).toMatchObject({
      kind: 'decision-mail',
      key: `decision-mail:${id}:1`,
      state: 'waiting',
      run_at: new Date(rig.clock.now.getTime() + 60_000),
      payload: { applicationId: id, decisionNumber: 1, knownStatus: 'pending', toStatus: 'approved' },
    })
    expect(await database.db('application_decisions').where({ application_id: id })).toMatchObject([
      {
        decision_number: 1,
        from_status: 'pending',
        to_status: 'approved',
        decided_by: olivia.userId,
        device_id: 'phone',
        device_name: "Olivia's phone",
      },
    ])
  })

  it('revokes: the Beacon disappears, the mail that was held is cancelled and the next one starts from what was heard', async () => {
    const id = await applicant()
    await decide(id, { status: 'approved' })
    const revoked = await decide(id, { status: 'rejected', expectedDecisionNumber: 1 })
    expect(revoked.body).toMatchObject({ status: 'rejected', decisionNumber: 2 })
    expect((await rig.run('listBeacons', { params: { id: eventId } })).body).toEqual([])
    const mails = await jobs(`decision-mail:${id}:`)
    expect(mails.map(({ state, payload }) => [state, payload['knownStatus'], payload['toStatus']])).toEqual([
      ['cancelled', 'pending', 'approved'],
      ['waiting', 'pending', 'rejected'],
    ])
    const tombstone = await database
      .db('sync_log')
      .where({ scope: 'public', collection: 'beacons', doc_id: String(id) })
      .first()
    expect(tombstone).toMatchObject({ deleted: true, body: null })
  })

  it('what is already decided succeeds without a second decision, whatever it was made on', async () => {
    const id = await applicant()
    await decide(id, { status: 'approved', expectedDecisionNumber: 0 })
    const again = await decide(id, { status: 'approved', expectedDecisionNumber: 0 }, { id: 'tablet', name: 'Tablet' })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ decisionNumber: 1, decidedOn: "Olivia's phone" })
    expect(await jobs(`decision-mail:${id}:`)).toHaveLength(1)
  })

  it('on an older decision is a conflict that says who decided what and when', async () => {
    const id = await applicant()
    await decide(id, { status: 'rejected', expectedDecisionNumber: 0 }, { id: 'tablet', name: 'iPad' })
    const conflict = await decide(id, { status: 'approved', expectedDecisionNumber: 0 })
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({
      code: 'conflict',
      message: 'This application was rejected meanwhile.',
      current: { status: 'rejected', decisionNumber: 1, decidedOn: 'iPad', decidedAt: rig.clock.now.toISOString() },
    })
    expect((await decide(id, { status: 'approved', expectedDecisionNumber: 1 })).body.decisionNumber).toBe(2)
  })

  it('from 20 phones at once happens once per wish: one decision stands, the others see it or a conflict', async () => {
    const id = await applicant()
    await openPool(database.db)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        decide(
          id,
          { status: index % 2 ? 'approved' : 'rejected', expectedDecisionNumber: 0 },
          { id: `phone-${index}`, name: `Phone ${index}` },
        ),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 409)).toHaveLength(10)
    expect(await database.db('application_decisions').where({ application_id: id })).toHaveLength(1)
  })

  it('about a withdrawn application is refused, except the rejection it already is', async () => {
    const id = await applicant()
    await database.db('applications').where({ id }).update({ status: 'rejected', withdrawn_at: new Date() })
    expect((await decide(id, { status: 'approved' })).body).toMatchObject({
      code: 'not_allowed_now',
      message: 'The applicant has withdrawn this application.',
    })
    expect((await decide(id, { status: 'rejected' })).status).toBe(200)
  })

  it('is the owner’s alone: a stranger hears the same as about a missing one', async () => {
    const id = await applicant()
    const params = (beaconId: number) => ({ as: otto, params: { beaconId }, body: { status: 'approved' } })
    const stranger = await rig.run('decideApplication', params(id))
    expect(stranger.status).toBe(404)
    expect(stranger.text).toBe((await rig.run('decideApplication', params(999_999))).text)
    expect(
      (await rig.run('decideApplication', { params: { beaconId: id }, body: { status: 'approved' } })).status,
    ).toBe(401)
    expect((await decide(id, { status: 'pending' })).status).toBe(400)
  })

  it('closes applications for everyone while as many are approved as the organizer wants', async () => {
    eventId = await createEvent({ maxBeacons: 1 })
    const first = await applicant()
    const second = await applicant({ email: 'bo@example.com' })
    const closed = async () => (await rig.run('getEvent', { params: { id: eventId } })).body.applicationsClosed
    await decide(first, { status: 'approved' })
    expect(await closed()).toBe(true)
    expect((await apply({ email: 'ben@example.com' })).body.message).toBe('Applications for this event are closed.')
    expect((await decide(second, { status: 'approved' })).status).toBe(200)
    await decide(first, { status: 'rejected' })
    expect(await closed()).toBe(true)
    await decide(second, { status: 'rejected' })
    expect(await closed()).toBe(false)
  })
})

it('decisions that arrive together each count the others: the last one closes applications', async () => {
  eventId = await createEvent({ maxBeacons: 6 })
  const ids: number[] = []
  for (let index = 0; index < 6; index += 1) ids.push(await applicant({ email: `ben-${index}@example.com` }))
  await openPool(database.db)
  await Promise.all(ids.map((id) => decide(id, { status: 'approved' })))
  expect((await rig.run('getEvent', { params: { id: eventId } })).body.applicationsClosed).toBe(true)
  expect((await rig.run('listBeacons', { params: { id: eventId } })).body).toHaveLength(6)
})

it('an event deleted while people apply and decisions arrive leaves nothing behind, and nobody gets an error of ours', async () => {
  await openPool(database.db)
  for (let round = 0; round < 5; round += 1) {
    eventId = await createEvent()
    const ids = [await applicant({ email: 'ben@example.com' }), await applicant({ email: 'bo@example.com' })]
    const answers = await Promise.all([
      ...ids.map((id) => decide(id, { status: 'approved' })),
      apply({ email: 'bea-1@example.com' }),
      rig.run('deleteEvent', { as: olivia, params: { id: eventId } }),
      apply({ email: 'bea-2@example.com' }),
      rig.run('updateEvent', { as: olivia, params: { id: eventId }, body: eventBody({ name: 'Renamed' }) }),
    ])
    expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status)).map(({ text }) => text)).toEqual([])
    const left = await database
      .db('sync_log')
      .where({ deleted: false })
      .whereRaw(`((body::jsonb->>'eventId')::int = ? or (collection = 'events' and doc_id = ?))`, [
        eventId,
        String(eventId),
      ])
    expect(left).toEqual([])
  }
})

it('nothing an organizer keeps about an applicant reaches the public, in answers or in the feed', async () => {
  const canary = {
    email: 'canary-mail@example.com',
    phone: '555-canary',
    expertise: 'canary-expertise',
    whyBeacon: 'canary-why',
    networkingStyle: 'canary-style',
  }
  const id = await applicant({ ...canary, customAnswers: [{ question: 'Q', answer: 'canary-answer' }] })
  await decide(id, { status: 'approved' })
  const texts = [
    (await rig.run('listBeacons', { params: { id: eventId } })).text,
    (await rig.run('listEvents')).text,
    (await rig.run('getEvent', { params: { id: eventId } })).text,
    ...(await database.db('sync_log').where({ scope: 'public' }).select('body')).map(({ body }) => body),
    ...(await database.db('jobs').select('payload')).map(({ payload }) => JSON.stringify(payload)),
  ]
  expect(texts.join('\n')).not.toMatch(/canary/)
  expect((await rig.run('listApplications', { as: olivia, params: { id: eventId } })).text).toMatch(
    /canary-mail.*canary-answer/,
  )
  expect((await rig.run('listBeacons', { params: { id: 999_999 } })).status).toBe(404)
})

it('publishing everything again gives each audience the documents it already had', async () => {
  const id = await applicant()
  await decide(id, { status: 'approved' })
  await applicant({ email: 'bo@example.com' })
  const documents = async () => {
    const rows = await database.db('sync_log').where({ deleted: false }).orderBy(['scope', 'collection', 'doc_id'])
    const ours = rows.filter(
      ({ scope, collection, doc_id }) =>
        [`org:${olivia.userId}`, `account:${olivia.userId}`].includes(scope) ||
        [`events ${eventId}`, `beacons ${id}`].includes(`${collection} ${doc_id}`),
    )
    return ours.map(({ scope, collection, doc_id, body }) => ({
      scope,
      collection,
      doc_id,
      document: JSON.parse(body!),
    }))
  }
  const before = await documents()
  expect(before.map(({ collection }) => collection)).toEqual([
    'account',
    'applications',
    'applications',
    'events',
    'beacons',
    'events',
  ])
  await database.db('sync_log').del()
  await database.db.transaction((trx) => publishEverything(trx))
  expect(await documents()).toEqual(before)
})
