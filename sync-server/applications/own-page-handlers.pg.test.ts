import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { setTestServer } from '../testing/test-server.ts'
import { newId } from '#shared/record/new-id.ts'
import { applicationBody, correctedBody } from '../testing/route-rig.ts'
import { headers } from '#shared/contract/request.ts'

const stage = await setOrganizerStage()

let eventId: number
let token: string
let id: number

const read = async (applicationToken = token) => await stage.run('getOwnApplication', { applicationToken })
const correct = async (changes: Record<string, unknown> = {}, with_ = token) =>
  await stage.run('correctApplication', { body: { token: with_, ...correctedBody(changes) } })
const withdraw = async (with_ = token) => await stage.run('withdrawApplication', { body: { token: with_ } })
const beacons = async () => (await stage.run('listBeacons', { params: { id: eventId } })).body

async function applyTo(event: number, changes: Record<string, unknown> = {}): Promise<void> {
  eventId = event
  const { body } = await stage.apply(eventId, changes)
  token = body.token
  id = body.id
}

beforeEach(async () => {
  await applyTo((await stage.publish()).id)
})

describe('reading one’s own application', () => {
  it('shows what was sent and where it stands, and nothing of who decided', async () => {
    await stage.decide(id, { status: 'approved' })
    const answer = await read()
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...correctedBody(), id, eventId, status: 'approved', withdrawnAt: null })
    expect(Object.keys(answer.body)).not.toContain('decidedOn')
    expect(answer.text).not.toContain('Olivia')
    expect(stage.spent).toContain('own-application 192.0.2.1')
  })
})

describe('an approved Beacon', () => {
  const say = async (coming: boolean, key: string = randomUUID()) =>
    await stage.run('sayComing', { body: { token, coming }, key })

  it('reads what the night needs, which no other applicant does', async () => {
    await applyTo((await stage.publish({ beaconInstructions: 'Use the side door.', promoCode: 'LAMP' })).id)
    const bo = (await stage.apply(eventId, { email: 'bo@example.com', firstName: 'Bo', lastName: 'Byrne' })).body
    expect((await read()).body.briefing).toBeUndefined()
    await stage.decide(id, { status: 'approved' })
    await stage.decide(bo.id, { status: 'approved' })
    const briefing = { instructions: 'Use the side door.', promoCode: 'LAMP', beacons: ['Bo'] }
    expect((await read()).body.briefing).toEqual(briefing)
    expect((await read()).text).not.toContain('Byrne')
    await withdraw()
    expect((await read()).text).not.toMatch(/side door|LAMP/)
  })

  it('reads the first names of the other expected Beacons alone', async () => {
    await applyTo((await stage.publish()).id)
    const applicant = async (firstName: string, status?: 'approved' | 'rejected') => {
      const { body } = await stage.apply(eventId, { email: `${firstName}@example.com`, firstName })
      if (status) await stage.decide(body.id, { status })
      return body
    }
    await applicant('Anna', 'approved')
    await applicant('Petra')
    await applicant('Rolf', 'rejected')
    const absent = await applicant('Nora', 'approved')
    await stage.run('sayComing', { body: { token: absent.token, coming: false } })
    const gone = await applicant('Wilma', 'approved')
    await withdraw(gone.token)
    const coming = await applicant('Carl', 'approved')
    await stage.run('sayComing', { body: { token: coming.token, coming: true } })
    await stage.decide(id, { status: 'approved' })
    const other = (await stage.publish()).id
    const elsewhere = (await stage.apply(other, { email: 'elsa@example.com', firstName: 'Elsa' })).body
    await stage.decide(elsewhere.id, { status: 'approved' })
    expect((await read()).body.briefing?.beacons).toEqual(['Anna', 'Carl'])
  })

  it('says until the event is over whether they come: guests see none who stay away', async () => {
    expect((await say(true)).status).toBe(409)
    const { body: approval } = await stage.decide(id, { status: 'approved' })
    const seen = async () =>
      (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body[0]?.coming
    expect(await seen()).toBeUndefined()
    expect((await say(true)).body.coming).toBe(true)
    expect([await seen(), (await beacons()).length]).toEqual([true, 1])
    const key = randomUUID()
    expect((await say(false, key)).body.coming).toBe(false)
    expect((await say(false, key)).body.coming).toBe(false)
    expect([await seen(), await beacons()]).toEqual([false, []])
    const told = (await stage.db('jobs').where({ kind: 'beacon-news' })).map(({ payload }) => payload)
    expect(told.filter((payload) => payload['eventId'] === eventId)).toMatchObject([
      { news: 'absent', applicationIds: [id] },
    ])
    const revoked = await stage.decide(id, { status: 'rejected', basis: approval.basis })
    await stage.decide(id, { status: 'approved', basis: revoked.body.basis })
    expect([await seen(), (await beacons()).length], 'another approval asks anew').toEqual([undefined, 1])
    await stage.db('events').where({ id: eventId }).update({ startDate: '2025-03-01', endDate: '2025-03-01' })
    expect([(await say(false)).status, (await say(false)).body.message]).toEqual([409, 'This event is over.'])
  })
})

describe('correcting one’s own application', () => {
  it('changes what the organizer sees, keeps the state and asks for what the event requires', async () => {
    expect((await correct({ bio: '' })).body.fields).toEqual({ bio: 'Required' })
    const answer = await correct({ bio: 'I build bridges.', phone: '+1 555 0100', email: 'bea.moss@example.com' })
    expect(answer.body).toMatchObject({ bio: 'I build bridges.', phone: '+1 555 0100', status: 'pending' })
    const [document] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(document).toMatchObject({ bio: 'I build bridges.', email: 'bea.moss@example.com', decisionNumber: 0 })
    const feed = await stage.feed(`org:${stage.olivia.userId}`)
    expect(feed.at(-1)?.body).toContain('I build bridges.')
  })

  it('after an approval changes the public Beacon too, and no decision conflicts with it', async () => {
    const approved = await stage.decide(id, { status: 'approved', basis: null })
    expect((await correct({ bio: 'I build bridges.' })).body.status).toBe('approved')
    expect(await beacons()).toMatchObject([{ id, bio: 'I build bridges.' }])
    const revoked = await stage.decide(id, { status: 'rejected', basis: approved.body.basis })
    expect([revoked.status, revoked.body.decisionNumber]).toEqual([200, 2])
    expect((await correct({ bio: 'Still me.' })).body).toMatchObject({ status: 'rejected', bio: 'Still me.' })
    expect(await beacons()).toEqual([])
  })

  it('to the address of another application is refused and changes nothing', async () => {
    await stage.apply(eventId, { email: 'bo@example.com', firstName: 'Bo' })
    const answer = await correct({ email: 'BO@example.com', bio: 'Lost?' })
    expect([answer.status, answer.body.code]).toEqual([409, 'duplicate_application'])
    expect(answer.body.fields).toHaveProperty('email')
    expect((await read()).body).toMatchObject({ email: 'bea@example.com', bio: correctedBody()['bio'] })
  })

  it('is over with the event, in its zone, while closed applications can still be corrected', async () => {
    const day = '2026-11-20'
    const event = await stage.publish({ startDate: day, endDate: day, applicationsCloseAt: `${day}T10:00` })
    await applyTo(event.id)
    expect(token).toBeUndefined()
    stage.clock.now = new Date('2026-11-19T10:00:00Z')
    await applyTo(eventId)
    stage.clock.now = new Date('2026-11-21T02:59:00Z')
    expect((await correct({ bio: 'One minute left.' })).status).toBe(200)
    stage.clock.now = new Date('2026-11-21T03:00:00Z')
    expect((await correct({ bio: 'Too late.' })).body).toMatchObject({ code: 'not_allowed_now' })
  })
})

describe('withdrawing one’s own application', () => {
  it('takes an approved Beacon off the public list, and is in the history', async () => {
    await stage.decide(id, { status: 'approved' })
    const answer = await withdraw()
    expect(answer.body).toMatchObject({ status: 'rejected', withdrawnAt: stage.clock.now.toISOString() })
    expect(await beacons()).toEqual([])
    const [document] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(document).toMatchObject({
      status: 'rejected',
      withdrawnAt: stage.clock.now.toISOString(),
      decisionNumber: 2,
    })
    expect(
      await stage.db('application_decisions').where({ applicationId: id }).orderBy('decisionNumber'),
    ).toMatchObject([
      { decisionNumber: 1, decidedBy: stage.olivia.userId },
      { decisionNumber: 2, fromStatus: 'approved', toStatus: 'rejected', decidedBy: null, deviceName: null },
    ])
  })

  it('twice is the same as once: it cannot be approved or corrected afterwards', async () => {
    const first = await withdraw()
    stage.clock.now = new Date(Date.now() + 60_000)
    expect((await withdraw()).body).toEqual(first.body)
    expect(await stage.db('application_decisions').where({ applicationId: id })).toHaveLength(1)
    expect((await stage.decide(id, { status: 'approved' })).body).toMatchObject({
      code: 'not_allowed_now',
      message: 'The applicant has withdrawn this application.',
    })
    expect((await stage.decide(id, { status: 'rejected' })).status).toBe(200)
    expect((await correct({ bio: 'Changed my mind.' })).body).toMatchObject({
      message: 'You have withdrawn this application.',
    })
  })
})

describe('applying again after a withdrawal', () => {
  const applyAgain = async (more: object = {}) => await stage.run('applyAgain', { body: { token, ...more } })

  it('waits for the organizer once more, who hears of it, and twice is the same as once', async () => {
    await stage.decide(id, { status: 'approved' })
    const { body: gone } = await withdraw()
    const before = stage.spent.length
    const { body } = await applyAgain()
    expect(body).toEqual({ ...gone, status: 'pending', withdrawnAt: null, decidedAt: null })
    expect(stage.spent.slice(before)).toContain('application-address 192.0.2.1')
    expect((await applyAgain()).body).toEqual(body)
    const [document] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(document).toMatchObject({ status: 'pending', withdrawnAt: null, decisionNumber: 3 })
    expect(document?.decisions.at(-1)).toMatchObject({ from: 'rejected', to: 'pending', by: 'applicant' })
    const jobs = await stage.db('jobs').where({ kind: 'beacon-news' })
    const told = jobs.map(({ payload }) => payload).filter((payload) => payload['eventId'] === eventId)
    expect(told).toMatchObject([
      { news: 'withdrawn', applicationIds: [id] },
      { news: 'again', applicationIds: [id] },
    ])
    expect((await correct({ bio: 'Back again.' })).status).toBe(200)
    expect((await stage.decide(id, { status: 'approved', basis: document?.basis ?? null })).status).toBe(200)
    expect(await beacons()).toMatchObject([{ id, bio: 'Back again.' }])
  })

  it('is refused once applications are closed or all places are taken', async () => {
    await applyTo((await stage.publish({ maxBeacons: 1 })).id)
    await withdraw()
    const { body: other } = await stage.apply(eventId, { email: 'bo@example.com' })
    await stage.decide(other.id, { status: 'approved' })
    const closed = { code: 'not_allowed_now', message: 'Applications for this event are closed.' }
    expect((await applyAgain()).body).toMatchObject(closed)
    await withdraw(other.token)
    await stage.db('events').where({ id: eventId }).update({ applicationsClosed: true })
    expect((await applyAgain()).body).toMatchObject(closed)
    expect((await read()).body.withdrawnAt).not.toBeNull()
  })

  it('before the deadline is taken for a day after it, and marked as late', async () => {
    stage.clock.now = new Date('2026-12-01T12:00:00Z')
    const days = { startDate: '2026-12-20', endDate: '2026-12-20', applicationsCloseAt: '2026-12-10T12:00' }
    await applyTo((await stage.publish(days)).id)
    await withdraw()
    stage.clock.now = new Date('2026-12-11T10:00:00Z')
    expect((await applyAgain({ finishedAt: '2026-12-11T09:00:00Z' })).body.code).toBe('not_allowed_now')
    expect((await applyAgain({ finishedAt: '2026-12-10T09:00:00Z' })).body.status).toBe('pending')
    const [document] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(document?.sentLate).toBe(true)
  })

  it('takes no rejection back that stood before the withdrawal', async () => {
    await stage.decide(id, { status: 'rejected' })
    await withdraw()
    expect((await applyAgain()).body).toMatchObject({
      code: 'not_allowed_now',
      message: 'The organizer had decided on this application before you withdrew it.',
    })
  })

  it('once more after a restore alerts nobody again', async () => {
    await withdraw()
    expect((await stage.run('applyAgain', { body: { token }, again: true })).body.status).toBe('pending')
    const jobs = await stage.db('jobs').where({ kind: 'beacon-news' })
    expect(jobs.filter(({ payload }) => payload['eventId'] === eventId)).toEqual([])
  })
})

const server = await setTestServer({ db: stage.db })

it('the token on the wire travels in a header or a body, and never stands in the log', async () => {
  const reading = await server.call('getOwnApplication', { headers: { [headers.applicationToken]: token } })
  expect(reading.body).toMatchObject({ id, email: 'bea@example.com' })
  expect((await server.call('withdrawApplication', { body: { token } })).status).toBe(200)
  const log = server.log.join('\n')
  expect(log).toContain('getOwnApplication')
  expect(log).not.toContain(token)
  expect(log).not.toContain('bea@example.com')
})

describe('a correction of what guests read, after the approval', () => {
  const seen = async () => {
    const [listed] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    return listed
  }
  const agree = async (changesSeen: string) =>
    await stage.run('markApplication', { as: stage.olivia, params: { beaconId: id }, body: { changesSeen } })

  it('shows the organizer what was approved beside what guests read, until they are the same', async () => {
    await stage.decide(id, { status: 'approved' })
    await correct({ bio: 'Buy my book', linkedinUrl: 'https://www.linkedin.com/in/book', expertise: 'Books' })
    expect(await seen()).toMatchObject({
      status: 'approved',
      decisionNumber: 1,
      bio: 'Buy my book',
      publicChanges: {
        at: stage.clock.now.toISOString(),
        changes: [
          { field: 'bio', was: 'I introduce people to each other.' },
          { field: 'linkedinUrl', was: null },
        ],
      },
    })
    const changed = await stage.feed(`org:${stage.olivia.userId}`)
    expect(changed.find(({ collection }) => collection === 'applications')?.body).toContain('publicChanges')
    expect((await read()).text).not.toContain('publicChanges')
    expect((await stage.feed('public')).map(({ body }) => body).join()).not.toContain('publicChanges')
    await correct({ bio: 'Two', lastName: 'Hill' })
    expect((await seen())?.publicChanges?.changes).toEqual([
      { field: 'lastName', was: 'Moss' },
      { field: 'bio', was: 'I introduce people to each other.' },
    ])
    await correct()
    expect((await seen())?.publicChanges).toBeUndefined()
  })

  it('is agreed to once seen, not with a later one, nor when the organizer decides anew', async () => {
    await correct({ bio: 'Before' })
    await stage.decide(id, { status: 'approved' })
    expect((await seen())?.publicChanges).toBeUndefined()
    await correct({ bio: 'One' })
    const first = (await seen())?.publicChanges?.at ?? ''
    stage.clock.now = new Date(stage.clock.now.getTime() + 1000)
    await correct({ bio: 'Two' })
    expect((await agree(first)).body.publicChanges).toBeDefined()
    const second = (await seen())?.publicChanges?.at ?? ''
    expect((await agree(second)).body.publicChanges).toBeUndefined()
    await correct({ bio: 'Three' })
    expect((await seen())?.publicChanges?.changes).toEqual([{ field: 'bio', was: 'Two' }])
    await stage.decide(id, { status: 'rejected' })
    await stage.decide(id, { status: 'approved' })
    expect((await seen())?.publicChanges).toBeUndefined()
  })
})

describe('answers to the organizer’s own questions', () => {
  const asks = async (customQuestions: string[]) =>
    await stage.run('customizeEvent', {
      as: stage.olivia,
      params: { eventId },
      body: { customQuestions },
    })
  const storedAnswers = async (email: string) =>
    (await stage.db('applications').where({ eventId, email }).first())?.customAnswers
  const invented = { question: 'Has the organizer paid you?', answer: 'Not yet' }

  it('are kept where each question was asked, also without a network, one to each', async () => {
    await asks(['Which languages?', 'Any allergies?'])
    await asks(['Which languages?'])
    await asks(['Shirt size?'])
    const answers = [
      { question: 'Which languages?', answer: 'Spanish' },
      { question: 'Any allergies?', answer: 'Cats' },
      { question: 'Shirt size?', answer: 'M' },
    ]
    const more = [invented, { question: 'Shirt size?', answer: 'L' }]
    await stage.applicant(eventId, { email: 'ana@example.com', customAnswers: [...answers, ...more] })
    expect(await storedAnswers('ana@example.com')).toEqual(answers)
    await correct({ customAnswers: [{ question: 'Which languages?', answer: 'Spanish' }, invented] })
    expect(await storedAnswers('bea@example.com')).toEqual([{ question: 'Which languages?', answer: 'Spanish' }])
  })

  it('come back whole with the application, though the database has lost the question', async () => {
    const answers = [{ question: 'Which languages?', answer: 'Spanish' }]
    await asks(['Which languages?'])
    const { sendAgain, email } = await takenBefore({ customAnswers: answers })
    await stage
      .db('events')
      .where({ id: eventId })
      .update({ customQuestions: '["Shirt size? *"]', askedQuestions: '[]' })
    expect((await sendAgain()).status).toBe(201)
    expect(await storedAnswers(email)).toEqual(answers)
  })
})

/** An application that the server took, and has lost since with its key. */
async function takenBefore(changes: Record<string, unknown> = {}) {
  const key = randomUUID()
  const email = `${key}@example.com`
  const body = { ...applicationBody({ email, ...changes }), id: newId() }
  const send = async (more: object = {}, under = key) =>
    await stage.run('applyAsBeacon', {
      params: { eventId },
      body: { ...body, ...more },
      key: under,
      again: 'token' in more,
    })
  const first = await send()
  expect(first.status).toBe(201)
  await stage.db('applications').where({ id: body.id }).delete()
  await stage.db('idempotency_keys').where({ key }).delete()
  await stage.db('used_ids').where({ kind: 'application', id: body.id }).delete()
  return {
    email,
    id: body.id,
    key,
    token: first.body.token,
    sendAgain: async (under = key, changed: object = {}) => await send({ token: first.body.token, ...changed }, under),
  }
}

it('an application lost by a restore comes back by its own request, though they are closed', async () => {
  const { sendAgain, ...sent } = await takenBefore()
  await stage.db('events').where({ id: eventId }).update({ applicationsClosed: true })
  const strangers = [await sendAgain(randomUUID()), await sendAgain(undefined, { id: newId() })]
  expect(strangers.map(({ body }) => body.code)).toEqual(['not_allowed_now', 'not_allowed_now'])
  expect((await sendAgain()).body).toMatchObject({ id: sent.id, token: sent.token, status: 'pending' })
})

describe('an application under an id of its own', () => {
  const body = () => ({ ...applicationBody({ email: `${randomUUID()}@example.com` }), id: newId() })
  const send = async (given: object, key: string) =>
    await stage.run('applyAsBeacon', { params: { eventId }, body: given, key })

  it('is answered as it is when it arrives again after its key was purged; its id stays its own', async () => {
    const [given, key] = [body(), randomUUID()]
    const first = await send(given, key)
    await stage.decide(given.id, { status: 'approved' })
    await stage.db('idempotency_keys').where({ key }).delete()
    expect((await send(given, key)).body).toEqual({ ...first.body, status: 'approved' })
    const taken = await send({ ...body(), id: given.id }, randomUUID())
    expect([taken.status, taken.body.code]).toEqual([409, 'already_exists'])
  })

  it('gets one from the server where its sender names none, and organizers read no key of it', async () => {
    const { id: _, ...given } = body()
    const key = randomUUID()
    const answer = await send(given, key)
    expect(answer.body.id).toBeGreaterThan(99_999_999_999)
    const listed = await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })
    expect(listed.text).not.toContain(key)
  })
})
