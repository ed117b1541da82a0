import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import { forgetMember } from '../personal-data/forget-member.ts'
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
const mails = async (id: number) => await stage.db('mails').where({ applicationId: id, kind: 'decision' }).orderBy('id')
const jobs = async (keyStart: string) => await stage.db('jobs').where('key', 'like', `${keyStart}%`).orderBy('id')

async function waitingForLocks(): Promise<number> {
  const { rows } = await stage.db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

describe('deciding', () => {
  it('approves: everyone sees the Beacon, and a mail waits a minute; revoking undoes it', async () => {
    const id = await applicant()
    expect((await stage.decide(id, { status: 'pending' })).status).toBe(400)
    const answer = await stage.decide(id, { status: 'approved', basis: null })
    expect(answer.body).toMatchObject({
      status: 'approved',
      decisionNumber: 1,
      decidedOn: "Olivia's phone",
      decidedAt: stage.clock.now.toISOString(),
    })
    const beacons = async () => (await stage.run('listBeacons', { params: { id: eventId } })).body
    expect(await beacons()).toMatchObject([{ id, firstName: 'Bea' }])
    const [mail] = await mails(id)
    const sendAt = new Date(stage.clock.now.getTime() + 60_000)
    expect(mail).toMatchObject({
      kind: 'decision',
      key: `decision-mail:${id}:1`,
      state: 'held',
      sendAt,
      toName: 'Bea Moss',
      toAddress: 'bea@example.com',
      payload: { applicationId: id, decisionNumber: 1, knownStatus: 'pending', toStatus: 'approved' },
    })
    expect(await jobs(`decision-mail:${id}:`)).toMatchObject([{ kind: 'send-mail', state: 'waiting', runAt: sendAt }])
    expect(await stage.db('application_decisions').where({ applicationId: id })).toMatchObject([
      {
        decisionNumber: 1,
        fromStatus: 'pending',
        toStatus: 'approved',
        decidedBy: stage.olivia.userId,
        deviceId: 'phone',
        deviceName: "Olivia's phone",
      },
    ])

    const revoked = await stage.decide(id, { status: 'rejected', basis: answer.body.basis })
    expect(revoked.body).toMatchObject({ status: 'rejected', decisionNumber: 2 })
    expect(await beacons()).toEqual([])
    expect((await mails(id)).map(({ state, payload }) => [state, payload['knownStatus'], payload['toStatus']])).toEqual(
      [
        ['cancelled', 'pending', 'approved'],
        ['held', 'pending', 'rejected'],
      ],
    )
    expect((await jobs(`decision-mail:${id}:`)).map(({ state }) => state)).toEqual(['cancelled', 'waiting'])
    const tombstone = await stage
      .db('sync_log')
      .where({ scope: 'public', collection: 'beacons', docId: String(id) })
      .first()
    expect(tombstone).toMatchObject({ deleted: true, body: null })
  })

  it('back and forth while its mail is held is one line of history, and one more from then on', async () => {
    const id = await applicant()
    let basis: string | null = null
    for (const status of ['approved', 'rejected', 'approved'] as const)
      basis = (await stage.decide(id, { status, basis })).body.basis
    const first = stage.clock.now
    stage.clock.now = new Date(first.getTime() + 60_000)
    basis = (await stage.decide(id, { status: 'rejected', basis })).body.basis
    const { body } = await stage.decide(id, { status: 'approved', basis }, { id: 'ipad', name: 'iPad' })
    const decided = (at: Date, device: string) => ({ at: at.toISOString(), device, by: 'organizer' })
    expect(body).toMatchObject({ decisionNumber: 5, decidedOn: 'iPad' })
    expect(body.decisions).toEqual([
      { number: 3, from: 'pending', to: 'approved', ...decided(first, "Olivia's phone") },
      { number: 4, from: 'approved', to: 'rejected', ...decided(stage.clock.now, "Olivia's phone") },
      { number: 5, from: 'rejected', to: 'approved', ...decided(stage.clock.now, 'iPad') },
    ])
  })

  it('shows the latest five in answers and documents, and all of them to an organizer who asks', async () => {
    const id = await applicant()
    let answer: Record<string, any> = {}
    for (let number = 1; number <= 8; number += 1) {
      stage.clock.now = new Date(stage.clock.now.getTime() + 60_000)
      answer = (await stage.decide(id, { status: number % 2 ? 'approved' : 'rejected' })).body
    }
    const numbers = (decisions: { number: number }[]) => decisions.map(({ number }) => number)
    expect(numbers(answer['decisions'])).toEqual([4, 5, 6, 7, 8])
    const listed = await stage.run('listApplications', { params: { id: eventId }, as: stage.olivia })
    expect(listed.body).toEqual([answer])
    const document = await stage
      .db('sync_log')
      .where({ collection: 'applications', docId: String(id) })
      .first()
    expect(JSON.parse(document!.body!)).toEqual(answer)
    const all = await stage.run('listDecisions', { params: { beaconId: id }, as: stage.olivia })
    expect(numbers(all.body)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(all.body.slice(-5)).toEqual(answer['decisions'])
  })

  it('ends for one application after a hundred of a day, and goes on the next', async () => {
    const id = await applicant()
    await stage.decide(id, { status: 'approved' })
    await stage.db('applications').where({ id }).update({ decidedTimes: 99 })
    expect((await stage.decide(id, { status: 'rejected' })).status).toBe(200)
    const refused = await stage.decide(id, { status: 'approved' })
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect((await stage.decide(id, { status: 'rejected' })).status, 'is so already').toBe(200)
    stage.clock.now = new Date(stage.clock.now.getTime() + 86_400_000)
    expect((await stage.decide(id, { status: 'approved' })).body).toMatchObject({ decisionNumber: 3 })
  })

  it('deciding the same succeeds once; the opposite is a conflict that says who decided when', async () => {
    const id = await applicant()
    const { body } = await stage.decide(id, { status: 'rejected', basis: null }, { id: 'tablet', name: 'iPad' })
    for (const basis of [null, undefined, randomUUID()]) {
      const again = await stage.decide(id, { status: 'rejected', ...(basis === undefined ? {} : { basis }) })
      expect(again.status).toBe(200)
      expect(again.body).toMatchObject({ decisionNumber: 1, basis: body.basis, decidedOn: 'iPad' })
    }
    expect(await jobs(`decision-mail:${id}:`)).toHaveLength(1)
    const conflict = await stage.decide(id, { status: 'approved', basis: null })
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({
      code: 'conflict',
      message: 'This application was rejected in the meantime.',
      current: { status: 'rejected', decisionNumber: 1, decidedOn: 'iPad', decidedAt: stage.clock.now.toISOString() },
    })
    expect(conflict.body.current).toMatchObject({ basis: body.basis })
    expect((await stage.decide(id, { status: 'approved', basis: body.basis })).body.decisionNumber).toBe(2)
  })

  it('from 20 phones at once happens once per wish: one stands, the others see it or conflict', async () => {
    const id = await applicant()
    await openPool(stage.db)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stage.decide(
          id,
          { status: index % 2 ? 'approved' : 'rejected', basis: null },
          { id: `phone-${index}`, name: `Phone ${index}` },
        ),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 409)).toHaveLength(10)
    const [line, ...more] = await stage.db('application_decisions').where({ applicationId: id })
    expect(more).toEqual([])
    const shown = answers.map(({ status, body }) => (status === 200 ? body : body.current))
    for (const application of shown)
      expect(application).toMatchObject({
        decidedOn: line!.deviceName,
        decisions: [{ number: 1, device: line!.deviceName }],
      })
  })

  it('keeps the applicant’s own line of history, also when made without a device', async () => {
    const { id, token } = (await apply()).body
    await stage.run('withdrawApplication', { body: { token } })
    await stage.run('applyAgain', { body: { token } })
    const { basis } = await stage.db('applications').where({ id }).first('basis')
    await stage.decide(id, { status: 'approved', basis }, null)
    const lines = await stage.db('application_decisions').where({ applicationId: id }).orderBy('decisionNumber')
    expect(lines.map(({ byApplicant, toStatus }) => [byApplicant, toStatus])).toEqual([
      [true, 'rejected'],
      [true, 'pending'],
      [false, 'approved'],
    ])
  })

  it('that waited while a member was forgotten does not bring back the name of their device', async () => {
    const id = await applicant()
    const member = await stage.addPerson(`Mo${stage.round}`)
    const first = await stage.decide(id, { status: 'approved', basis: null }, { id: 'mo', name: 'Phone (Mo)' })
    await stage.db('application_decisions').where({ applicationId: id }).update({ decidedBy: member.userId })
    const forgetting = await stage.db.transaction()
    await forgetMember(forgetting, member.userId)
    const decision = stage.decide(id, { status: 'rejected', basis: first.body.basis })
    await expect.poll(waitingForLocks).toBe(1)
    await forgetting.commit()
    expect((await decision).body.decisions).toMatchObject([{ device: null }, { device: "Olivia's phone" }])
  })

  it('that waited for the closing of its account is not made, and shows nobody the Beacon', async () => {
    const id = await applicant()
    const closing = await stage.db.transaction()
    await closing('users').where({ id: stage.olivia.userId }).update({ closedAt: stage.clock.now })
    await closing('events').where({ id: eventId }).forNoKeyUpdate().select('id')
    const decision = stage.decide(id, { status: 'approved' })
    await expect.poll(waitingForLocks).toBe(1)
    await closing.commit()
    expect(await decision).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect((await stage.decide(id, { status: 'approved' })).body).toMatchObject({ status: 'approved' })
    const shown = { scope: 'public', collection: 'beacons', docId: String(id), deleted: false } as const
    expect(await stage.db('sync_log').where(shown)).toEqual([])
  })

  it('closes applications for everyone while as many are approved as the organizer wants', async () => {
    eventId = await createEvent({ maxBeacons: 1 })
    const first = await applicant()
    const second = await applicant({ email: 'bo@example.com' })
    const closed = async () => {
      await publishOpenings(stage.db)
      return (await stage.run('getEvent', { params: { id: eventId } })).body.applicationsClosed
    }
    await stage.decide(first, { status: 'approved' })
    expect(await closed()).toBe(true)
    expect((await apply({ email: 'ben@example.com' })).body.message).toBe('Applications for this event are closed.')
    expect((await stage.decide(second, { status: 'approved' })).status).toBe(200)
    await stage.decide(first, { status: 'rejected' })
    expect(await closed()).toBe(true)
    await stage.decide(second, { status: 'rejected' })
    expect(await closed()).toBe(false)
  })

  it('opens applications again when an approved Beacon can’t come, and closes them with the next', async () => {
    eventId = await createEvent({ maxBeacons: 1 })
    const { id, token } = (await apply()).body
    await stage.decide(id, { status: 'approved' })
    expect((await apply({ email: 'bo@example.com' })).status).toBe(409)
    await publishOpenings(stage.db)
    const closed = async () => (await stage.run('getEvent', { params: { id: eventId } })).body.applicationsClosed
    expect(await closed()).toBe(true)
    await stage.run('sayComing', { body: { token, coming: false } })
    await publishOpenings(stage.db)
    expect(await closed()).toBe(false)
    const next = await apply({ email: 'bo@example.com' })
    expect(next.status).toBe(201)
    await stage.decide(next.body.id, { status: 'approved' })
    expect((await apply({ email: 'ben@example.com' })).status).toBe(409)
  })
})

it('no key of a change is in anything that organizers read: what names its state is no key', async () => {
  const as = stage.olivia
  const keys: string[] = []
  const statuses: number[] = []
  const read: (string | null)[] = []
  const run: typeof stage.run = async (name, call) => {
    const answer = await stage.run(name, { as, ...call })
    statuses.push(answer.status)
    read.push(answer.text)
    return answer
  }
  const newKey = () => {
    const key = randomUUID()
    keys.push(key)
    return key
  }
  const [created, edited, asked] = [newKey(), newKey(), newKey()]
  const { id } = (await run('createEvent', { body: eventBody(), key: created })).body
  await run('updateEvent', { params: { id }, body: eventBody({ name: 'Moved' }), basis: created, key: edited })
  const questions = { customQuestions: ['Shirt size?'] }
  await run('customizeEvent', { params: { eventId: id }, body: questions, basis: edited, key: asked })
  const { id: beaconId, token } = (await stage.apply(id)).body
  const decide = async (status: string) =>
    await run('decideApplication', { params: { beaconId }, body: { status }, basis: null, key: newKey() })
  for (const status of ['approved', 'approved', 'rejected']) await decide(status)
  const withdrawal = { body: { token }, key: newKey() }
  expect((await stage.run('withdrawApplication', withdrawal)).body).toMatchObject({ status: 'rejected' })

  const state = stateOf(withdrawal.key)
  expect((await run('listApplications', { params: { id } })).body).toMatchObject([{ basis: state }])
  const own = (await run('listOrganizerEvents', {})).body
  expect(own).toContainEqual(expect.objectContaining({ id, basis: stateOf(asked) }))
  expect((await run('listDecisions', { params: { beaconId } })).body).toHaveLength(2)
  expect(statuses).toEqual([201, 200, 200, 200, 200, 409, 200, 200, 200])
  for (const scope of [`org:${as.userId}`, `account:${as.userId}`, 'public'])
    read.push(...(await stage.feed(scope)).map(({ body }) => body))
  const all = read.join().toLowerCase()
  expect(all).toContain(state)
  const forms = keys.flatMap((key) => [key, key.replaceAll('-', '')])
  expect(forms.filter((key) => all.includes(key))).toEqual([])
})
