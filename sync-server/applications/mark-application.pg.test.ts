import { beforeEach, describe, expect, it } from 'vitest'
import { up } from '../db/migrations/005-marks.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = setOrganizerStage()

let eventId: number
let id: number

beforeEach(async () => {
  eventId = (await stage.publish()).id
  id = await stage.applicant(eventId)
})

const mark = async (body: Record<string, unknown>, as = stage.olivia) =>
  await stage.run('markApplication', { as, params: { beaconId: id }, body })
const feedVersion = async () => {
  const row = await stage
    .db('sync_log')
    .where({ scope: `org:${stage.olivia.userId}`, collection: 'applications', doc_id: String(id) })
    .first('version')
  return row?.version
}

describe("the organizer's own marks", () => {
  it('are kept field by field, and each new word stands in the place of the old one', async () => {
    expect((await mark({ note: '  Speaks Spanish  ' })).body).toMatchObject({ note: 'Speaks Spanish', starred: false })
    expect((await mark({ starred: true })).body).toMatchObject({ note: 'Speaks Spanish', starred: true })
    expect((await mark({ note: '', starred: false })).body).toMatchObject({ note: null, starred: false })
    const [listed] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(listed).toMatchObject({ id, note: null, starred: false, arrivedAt: null })
  })

  it('that say nothing new change nothing for the other devices', async () => {
    await mark({ starred: true })
    const before = await feedVersion()
    expect((await mark({ starred: true })).status).toBe(200)
    expect(await feedVersion()).toBe(before)
    await mark({ starred: false })
    expect(await feedVersion()).toBeGreaterThan(before!)
  })

  it('are nobody else’s: a stranger is refused, and neither the public nor the applicant sees them', async () => {
    await stage.decide(id, { status: 'approved' })
    await mark({ note: 'canary-note', starred: true, present: true })
    expect((await mark({ note: 'hijacked' }, stage.otto)).status).toBe(404)
    const texts = [
      (await stage.run('listBeacons', { params: { id: eventId } })).text,
      ...(await stage.feed('public')).map(({ body }) => body),
    ]
    expect(texts.join('\n')).toContain('Bea')
    expect(texts.join('\n')).not.toMatch(/canary-note|starred|arrivedAt|decisions/)
  })

  it.each([
    ['nothing at all', {}],
    ['a note that is too long', { note: 'x'.repeat(2001) }],
    ['a time without a zone', { present: false, seenAt: '2026-12-01T18:20:00' }],
  ])('refuse %s', async (_, body) => {
    expect((await mark(body)).status).toBe(400)
  })
})

describe('here today', () => {
  it('is for approved Beacons only', async () => {
    const early = await mark({ present: true })
    expect([early.status, early.body]).toMatchObject([
      409,
      { code: 'not_allowed_now', current: { id, arrivedAt: null } },
    ])
    await stage.decide(id, { status: 'approved' })
    expect((await mark({ present: true })).body.arrivedAt).toBe(stage.clock.now.toISOString())
    expect((await mark({ present: false })).body.arrivedAt).toBeNull()
  })

  it('keeps the moment the phone saw the Beacon, unless its clock runs ahead', async () => {
    await stage.decide(id, { status: 'approved' })
    const earlier = new Date(stage.clock.now.getTime() - 3_600_000).toISOString()
    expect((await mark({ present: true, seenAt: earlier })).body.arrivedAt).toBe(earlier)
    expect((await mark({ present: true, seenAt: '2199-01-01T00:00:00Z' })).body.arrivedAt).toBe(
      stage.clock.now.toISOString(),
    )
  })
})

describe('the history of decisions', () => {
  it('tells every decision with its device and time, oldest first', async () => {
    await stage.decide(id, { status: 'approved' })
    const first = stage.clock.now.toISOString()
    stage.clock.now = new Date(stage.clock.now.getTime() + 60_000)
    const answer = await stage.decide(id, { status: 'rejected' }, { id: 'ipad', name: 'iPad' })
    const decisions = [
      { number: 1, from: 'pending', to: 'approved', at: first, device: "Olivia's phone", by: 'organizer' },
      {
        number: 2,
        from: 'approved',
        to: 'rejected',
        at: stage.clock.now.toISOString(),
        device: 'iPad',
        by: 'organizer',
      },
    ]
    expect(answer.body).toMatchObject({ decidedOn: 'iPad', decisions })
    expect((await mark({ starred: true })).body.decisions).toEqual(decisions)
  })
})

it('documents from before notes and histories are completed where they lie', async () => {
  await stage.decide(id, { status: 'approved' })
  const where = { collection: 'applications', doc_id: String(id) }
  const today = await stage.db('sync_log').where(where).first('body', 'version')
  const { note: _, starred: __, arrivedAt: ___, decisions: ____, ...before } = JSON.parse(today!.body!)
  await stage
    .db('sync_log')
    .where(where)
    .update({ body: JSON.stringify(before) })
  await stage.db.raw('alter table applications drop column note, drop column starred, drop column arrived_at')
  await up(stage.db)
  const after = await stage.db('sync_log').where(where).first('body', 'version')
  expect(JSON.parse(after!.body!)).toEqual(JSON.parse(today!.body!))
  expect(after!.version).toBe(today!.version)
})

describe('an applicant who is not to be told', () => {
  const mails = async () => await stage.db('mails').where({ application_id: id, kind: 'decision' }).orderBy('id')

  it('gets no mail about the rejection', async () => {
    expect((await stage.decide(id, { status: 'rejected', tellApplicant: false })).body.status).toBe('rejected')
    expect(await mails()).toEqual([])
  })

  it('is told of a rejection unless the organizer says otherwise', async () => {
    await stage.decide(id, { status: 'rejected' })
    expect(await mails()).toHaveLength(1)
  })

  it('still hears that an approval is withdrawn, and of an approval', async () => {
    await stage.decide(id, { status: 'approved', tellApplicant: false })
    await stage.decide(id, { status: 'rejected', tellApplicant: false })
    expect((await mails()).map(({ payload }) => payload['toStatus'])).toEqual(['approved', 'rejected'])
  })
})
