import { randomUUID } from 'node:crypto'
import { newId } from '#shared/record/new-id.ts'
import { describe, expect, it } from 'vitest'
import { connectionStringOf } from '../db/knex-config.ts'
import { addUser } from '../testing/account-rows.ts'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { applicationBody, correctedBody, eventBody } from '../testing/route-rig.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { setTestServer } from '../testing/test-server.ts'
import { applicant } from '../../scripts/commands/applicant.ts'

const email = 'Canaria@Zwitscher.example'
const person = {
  firstName: 'Canaria',
  lastName: 'Zwitscher',
  email,
  phone: '+1 555 0142',
  linkedinUrl: 'https://www.linkedin.com/in/canaria-zwitscher',
  company: 'Canary Wharf Ltd',
  jobTitle: 'Canary keeper',
  whyBeacon: 'canary-why',
  bio: 'canary-bio',
}
const words = ['canar', 'zwitscher', '555 0142', 'maiden.example']

const events: number[] = []
const applications: number[] = []
const server = await setTestServer({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
const olivia = await server.addOrganizer('Olivia', { deviceName: 'Olivia’s phone' })

const runApplicant = (...args: string[]) => applicant(args, { DATABASE_URL: connectionStringOf(server.db) })

/** Two events, one with a single place; Canaria is its Beacon, and Bea has applied as well. */
async function liveALife(): Promise<void> {
  const { db } = server
  const visitor = server.client({ name: 'Canaria’s own phone' })
  events.push((await olivia.ok('createEvent', { body: eventBody({ maxBeacons: 1 }) })).id)
  events.push((await olivia.ok('createEvent', { body: eventBody({ name: 'Rooftop Mixer' }) })).id)
  // Under another address at first.
  const first = await visitor.ok('applyAsBeacon', {
    params: { eventId: events[0]! },
    body: applicationBody({ ...person, email: 'canaria@maiden.example' }),
  })
  await olivia.ok('markApplication', { params: { beaconId: first.id }, body: { note: 'Canaria sings' } })
  await visitor.ok('correctApplication', { body: { ...correctedBody(person), token: first.token } })
  const second = await visitor.ok('applyAsBeacon', {
    params: { eventId: events[1]! },
    body: applicationBody({ ...person, email: email.toUpperCase() }),
  })
  applications.push(first.id, second.id)
  await olivia.ok('decideApplication', { params: { beaconId: first.id }, body: { status: 'approved' } })
  await publishOpenings(db)
  expect((await visitor.ok('getEvent', { params: { id: events[0]! } })).applicationsClosed).toBe(true)
  await db('applicant_phones').insert({
    applicationId: first.id,
    endpoint: 'https://push.example/canary',
    p256dh: '-',
    auth: '-',
  })
  const face = { sha256: '0', body: Buffer.from('canary-face'), createdAt: new Date() }
  await db('application_faces').insert({ applicationId: first.id, ...face })
  await db('demo_mails').insert({ toName: 'C', toAddress: email, subject: '-', textPart: '-', htmlPart: '-' })
  await db('jobs').insert({ kind: 'k', key: 'k', payload: {}, state: 'dead', lastError: `550 no ${email}` })
  const bea = { params: { eventId: events[1]! }, body: applicationBody({ email: 'bea@harbor.example' }) }
  applications.push((await server.client().ok('applyAsBeacon', bea)).id)
}

describe('an applicant', () => {
  it('is handed out whole, over all events and whatever the case of the address', async () => {
    await liveALife()
    const { status, output } = await runApplicant('--export', 'canaria@zwitscher.example')
    expect(status).toBe(0)
    const copy = JSON.parse(output)
    expect(copy.applications).toHaveLength(2)
    expect(copy.applications[0]).toMatchObject({
      first_name: 'Canaria',
      note: 'Canaria sings',
      face_webp_base64: Buffer.from('canary-face').toString('base64'),
      event: { name: 'Harbor Mixer' },
    })
    expect(copy.mails).toHaveLength(3)
    expect(output).not.toMatch(/_hash|p256dh|harbor\.example/)
    expect((await runApplicant('--export', 'nobody@harbor.example')).status).toBe(1)
  })

  it('is deleted only after what that means was said', async () => {
    const { status, output } = await runApplicant('--delete', email)
    expect(output).toContain('has 2 applications:\n  Harbor Mixer (approved)\n  Rooftop Mixer (pending)\n')
    expect(output).toContain('Nothing was deleted')
    expect(status).toBe(1)
    expect(await server.db('applications')).toHaveLength(3)
  })

  it('leaves nothing anywhere when deleted, and everybody who had a copy is told', async () => {
    const { db } = server
    expect(await tablesHolding(db, words)).toEqual(
      expect.arrayContaining(['applications', 'applicant_phones', 'mails', 'sync_log']),
    )
    const { output, status } = await runApplicant('--delete', email, '--yes')
    expect(output).toMatch(/^Deleted 2 applications, 1 of them approved, and 3 mails\./)
    expect(status).toBe(0)
    expect(await tablesHolding(db, words)).toEqual([])
    const told = await db('sync_log').where({ deleted: true }).orderBy(['scope', 'docId']).select('scope', 'docId')
    const [first, second] = applications.map(String)
    expect(told).toEqual([
      ...[first, second].sort().map((docId) => ({ scope: `org:${olivia.userId}`, docId })),
      { scope: 'public', docId: first },
    ])
    expect(await db('mails').where({ toAddress: 'bea@harbor.example' })).toHaveLength(1)
    expect(await db('mails').whereRaw(`lower(to_address) like '%zwitscher%'`)).toEqual([])
    expect(await db('applications').pluck('id')).toEqual([applications[2]])
    const waiting = await db('jobs').where({ kind: 'send-mail', state: 'waiting' })
    const queued = await db('mails').whereIn('state', ['held', 'queued']).orderBy('id').pluck('id')
    expect(waiting.map(({ payload }) => payload['mailId']).sort()).toEqual(queued.sort())
    expect((await db('jobs').where({ kind: 'beacon-news' })).map(({ payload }) => payload)).toEqual([
      { news: 'withdrawn', eventId: events[0], applicationIds: [applications[0]] },
    ])
  })

  it('frees the place that was limited', async () => {
    const { body } = await olivia.call('getEvent', { params: { id: events[0]! } })
    expect(body).toMatchObject({ id: events[0], applicationsClosed: false })
    const apply = { params: { eventId: events[0]! }, body: applicationBody({ email: 'ben@harbor.example' }) }
    expect((await server.client().call('applyAsBeacon', apply)).status).toBe(201)
  })

  it('of whom nothing is held is deleted without harm, twice', async () => {
    const output = `Nothing was held about an applicant with the email address ${email}.\n`
    expect(await runApplicant('--delete', email, '--yes')).toEqual({ status: 0, output })
    expect(await runApplicant('--delete', email, '--yes')).toEqual({ status: 0, output })
  })

  it('stays deleted when the device sends the application again after a restore', async () => {
    const { db } = server
    const visitor = server.client({ name: 'Dana’s own phone' })
    const key = randomUUID()
    const params = { eventId: events[1]! }
    const body = { ...applicationBody({ email: 'dana@harbor.example' }), id: newId() }
    const { token } = await visitor.ok('applyAsBeacon', { params, body, key })
    await runApplicant('--delete', 'dana@harbor.example', '--yes')
    await db('sync_epoch').update({ epoch: randomUUID() })
    const entry = { key, route: 'applyAsBeacon', lane: 'apply', params, body: { ...body, token }, again: true }
    const answer = await visitor.request('POST', '/api/sync/mutations', {
      body: JSON.stringify({ account: null, entries: [entry] }),
    })
    expect(JSON.parse(answer.text)).toEqual({ key, status: 201 })
    expect(await db('applications').where({ id: body.id })).toEqual([])
  })

  it('is not told of to the organizer of a closed account', async () => {
    const { db } = server
    const params = { eventId: events[1]! }
    const { id } = await server
      .client()
      .ok('applyAsBeacon', { params, body: applicationBody({ email: 'cy@harbor.example' }) })
    await olivia.ok('decideApplication', { params: { beaconId: id }, body: { status: 'approved' } })
    await db('mails').where({ kind: 'beacon-news' }).del()
    await db('users').where({ id: olivia.userId }).update({ emailVerifiedAt: new Date(), closedAt: new Date() })
    await runApplicant('--delete', 'cy@harbor.example', '--yes')
    expect(await db('mails').where({ kind: 'beacon-news' })).toEqual([])
    await db('users').where({ id: olivia.userId }).update({ closedAt: null })
  })

  it('is not handed the mails to an account under the same address', async () => {
    const { db } = server
    const mail = { toName: '', toAddress: 'dora@example.com', payload: {}, state: 'sent', sendAt: new Date() } as const
    await db('mails').insert([
      { ...mail, kind: 'acknowledgement', key: 'to the applicant', userId: null },
      { ...mail, kind: 'password-reset', key: 'to the account', userId: await addUser(db, 'Dora') },
    ])
    const copy = JSON.parse((await runApplicant('--export', 'dora@example.com')).output)
    expect(copy.mails.map((handedOut: { kind: string }) => handedOut.kind)).toEqual(['acknowledgement'])
  })
})
