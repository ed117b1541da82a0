import { beforeEach, describe, expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody, openPool } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

let eventId: number

beforeEach(async () => {
  eventId = await createEvent()
})

const createEvent = async (changes: Record<string, unknown> = {}) => (await stage.publish(changes)).id
const apply = async (changes: Record<string, unknown> = {}, id = eventId) => await stage.apply(id, changes)
const applicant = async (changes: Record<string, unknown> = {}) => await stage.applicant(eventId, changes)

const jobs = async (keyStart: string) => await stage.db('jobs').where('key', 'like', `${keyStart}%`).orderBy('id')

describe('applying', () => {
  it('stores the application, hands out a token once and queues one alert that others share', async () => {
    stage.clock.now = new Date('2098-11-21T10:00:30Z')
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
      runAt: new Date('2098-11-21T10:00:35Z'),
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

  it('twice with one address is refused politely, and sends the link again once an hour', async () => {
    const { id: applicationId } = (await apply()).body
    const again = await apply({ email: 'BEA@example.com', firstName: 'Other' })
    expect(again.status).toBe(409)
    expect(again.body).toEqual({
      code: 'duplicate_application',
      message:
        'Thank you, but we already have your application for this event. We have sent the link to your own page to this address.',
      requestId: 'rig',
    })
    const mails = () => stage.db('mails').where({ kind: 'acknowledgement', applicationId })
    expect(await mails()).toHaveLength(1)
    await mails().update({ createdAt: new Date(stage.clock.now.getTime() - 3_600_001) })
    for (let tries = 0; tries < 2; tries += 1) await apply({ email: 'bea@example.com' })
    expect(await mails()).toHaveLength(2)
    expect((await apply({}, await createEvent())).status).toBe(201)
  })

  it('from the end of the event on is refused', async () => {
    stage.clock.now = new Date('2026-11-21T03:00:00Z')
    const answer = await apply({}, await createEvent({ startDate: '2026-11-20', endDate: '2026-11-20' }))
    expect(answer.body).toMatchObject({ code: 'not_allowed_now', message: 'Applications for this event are closed.' })
  })

  it.each([
    ['finished before the deadline and sent within a day', '2026-11-21T09:59:30Z', '2026-11-22T09:59:59Z', 201],
    ['sent a day later', '2026-11-21T09:59:30Z', '2026-11-22T10:00:00Z', 409],
    ['finished at the deadline', '2026-11-21T10:00:00Z', '2026-11-21T10:00:05Z', 409],
    ['finished at a time that its sender does not say', undefined, '2026-11-21T10:00:05Z', 409],
  ])('after the deadline, %s: %s, %s → %i', async (_, finishedAt, now, status) => {
    stage.clock.now = new Date(now)
    const id = await createEvent({ applicationsCloseAt: '2026-11-21T04:00' })
    const answer = await apply({ finishedAt }, id)
    expect(answer.status).toBe(status)
    if (status !== 201) return
    const [application] = (await stage.run('listApplications', { as: stage.olivia, params: { id } })).body
    expect(application).toMatchObject({ sentLate: true })
  })

  it('that closed by hand takes nothing that was finished before a deadline', async () => {
    stage.clock.now = new Date('2026-11-21T10:00:05Z')
    const id = await createEvent({ applicationsCloseAt: '2026-11-21T04:00', applicationsClosed: true })
    expect((await apply({ finishedAt: '2026-11-21T09:00:00Z' }, id)).status).toBe(409)
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

  it('takes three seconds as a person, and refuses less openly, so that no person is deceived', async () => {
    expect([(await apply({ filledInMs: 2999 })).status, (await apply({ filledInMs: 3000 })).status]).toEqual([400, 201])
  })
})

it('an event deleted amid applications and decisions leaves nothing behind and no errors', async () => {
  await openPool(stage.db)
  for (let round = 0; round < 5; round += 1) {
    eventId = await createEvent()
    const ids = [await applicant({ email: 'ben@example.com' }), await applicant({ email: 'bo@example.com' })]
    const answers = await Promise.all([
      ...ids.map((id) => stage.decide(id, { status: 'approved' })),
      apply({ email: 'bea-1@example.com' }),
      stage.run('deleteEvent', { as: stage.olivia, params: { id: eventId } }),
      apply({ email: 'bea-2@example.com' }),
      stage.run('updateEvent', { as: stage.olivia, params: { id: eventId }, body: eventBody({ name: 'Renamed' }) }),
    ])
    expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status)).map(({ text }) => text)).toEqual([])
    const left = await stage
      .db('sync_log')
      .where({ deleted: false })
      .whereRaw(`((body::jsonb->>'eventId')::bigint = ? or (collection = 'events' and doc_id = ?))`, [
        eventId,
        String(eventId),
      ])
    expect(left).toEqual([])
  }
})

it('nothing an organizer keeps about an applicant reaches the public, in answers or feed', async () => {
  const canary = {
    email: 'canary-mail@example.com',
    phone: '555-canary',
    expertise: 'canary-expertise',
    whyBeacon: 'canary-why',
    networkingStyle: 'canary-style',
  }
  await stage
    .db('events')
    .where({ id: eventId })
    .update({ customQuestions: JSON.stringify(['Q']) })
  const { id, token } = (await apply({ ...canary, customAnswers: [{ question: 'Q', answer: 'canary-answer' }] })).body
  await stage.decide(id, { status: 'approved' })
  for (const note of ['canary-other', 'canary-note']) {
    const body = { note, noteOver: null, starred: true, present: true }
    await stage.run('markApplication', { as: stage.olivia, params: { beaconId: id }, body })
  }
  const texts = [
    (await stage.run('listBeacons', { params: { id: eventId } })).text,
    (await stage.run('listEvents')).text,
    (await stage.run('getEvent', { params: { id: eventId } })).text,
    ...(await stage.db('sync_log').where({ scope: 'public' }).select('body')).map(({ body }) => body),
    ...(await stage.db('jobs').select('payload')).map(({ payload }) => JSON.stringify(payload)),
  ]
  expect(texts.join('\n')).not.toMatch(/canary|starred|arrivedAt|presence|otherNotes|decisions/)
  const own = await stage.run('getOwnApplication', { applicationToken: token })
  expect(own.text, 'nor the applicant').not.toMatch(/canary-other|canary-note|starred|arrivedAt/)
  expect((await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).text).toMatch(
    /canary-mail.*canary-answer/,
  )
  expect((await stage.run('listBeacons', { params: { id: 999_999 } })).status).toBe(404)
})

it('publishing everything again gives each audience the documents it already had', async () => {
  const id = await applicant()
  await stage.decide(id, { status: 'approved' })
  await applicant({ email: 'bo@example.com' })
  await publishOpenings(stage.db)
  const documents = async () => {
    const rows = await stage.db('sync_log').where({ deleted: false }).orderBy(['scope', 'collection', 'docId'])
    const ours = rows.filter(
      ({ scope, collection, docId }) =>
        [`org:${stage.olivia.userId}`, `account:${stage.olivia.userId}`].includes(scope) ||
        [`events ${eventId}`, `beacons ${id}`].includes(`${collection} ${docId}`),
    )
    return ours.map(({ scope, collection, docId, body }) => ({
      scope,
      collection,
      docId,
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
  await stage.db('sync_log').del()
  await stage.db.transaction((trx) => publishEverything(trx))
  expect(await documents()).toEqual(before)
})
