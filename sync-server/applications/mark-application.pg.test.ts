import { beforeEach, describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()

let eventId: number
let id: number

beforeEach(async () => {
  eventId = (await stage.publish()).id
  id = await stage.applicant(eventId)
})

const mark = async (body: Record<string, unknown>) =>
  await stage.run('markApplication', { as: stage.olivia, params: { beaconId: id }, body })
const feedVersion = async () => {
  const row = await stage
    .db('sync_log')
    .where({ scope: `org:${stage.olivia.userId}`, collection: 'applications', docId: String(id) })
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

describe('who came on each day', () => {
  const days = { startDate: '2026-12-01', endDate: '2026-12-02', startTime: '10:00', endTime: '18:00' }
  const zone = 'America/Los_Angeles'
  const at = (clock: string) => new Date(`${clock}-08:00`)

  beforeEach(async () => {
    await stage.decide(id, { status: 'approved' })
    await stage
      .db('events')
      .where({ id: eventId })
      .update({ ...days, timeZone: zone })
    stage.clock.now = at('2026-12-02T12:00')
  })

  it('is kept for each day, and the first arrival is told beside it', async () => {
    const [first, second] = [at('2026-12-01T10:30').toISOString(), at('2026-12-02T11:00').toISOString()]
    await mark({ present: true, day: '2026-12-02', seenAt: second })
    const both = await mark({ present: true, day: '2026-12-01', seenAt: first })
    expect(both.body).toMatchObject({ arrivedAt: first, presence: { '2026-12-01': first, '2026-12-02': second } })
    const corrected = await mark({ present: false, day: '2026-12-01' })
    expect(corrected.body).toMatchObject({ arrivedAt: second, presence: { '2026-12-01': null, '2026-12-02': second } })
    const unsaid = await mark({ present: null, day: '2026-12-01' })
    expect(unsaid.body.presence).toEqual({ '2026-12-02': second })
  })

  it('counts for the day it lies in where no day is named', async () => {
    const seenAt = at('2026-12-01T10:30').toISOString()
    expect((await mark({ present: true, seenAt })).body.presence).toEqual({ '2026-12-01': seenAt })
    expect((await mark({ present: false })).body).toMatchObject({ arrivedAt: null })
    expect((await mark({ present: false })).body.presence).toBeUndefined()
  })

  it('keeps an arrival that was noted without a day', async () => {
    const arrivedAt = at('2026-12-01T10:30')
    await stage.db('applications').where({ id }).update({ arrivedAt })
    const { body } = await mark({ present: true, day: '2026-12-02' })
    expect(body).toMatchObject({
      arrivedAt: arrivedAt.toISOString(),
      presence: { '2026-12-01': arrivedAt.toISOString(), '2026-12-02': stage.clock.now.toISOString() },
    })
  })

  it('is refused for another day, for who is not approved, and from seven days after the end', async () => {
    const refusal = async (body: Record<string, unknown>) => {
      const answer = await mark(body)
      return [answer.status, (answer.body as unknown as { code: string }).code]
    }
    expect(await refusal({ present: true, day: '2026-12-03' })).toEqual([409, 'not_allowed_now'])
    stage.clock.now = at('2026-12-09T17:59')
    expect((await mark({ present: false, day: '2026-12-02' })).status).toBe(200)
    stage.clock.now = at('2026-12-09T18:00')
    expect(await refusal({ present: null, day: '2026-12-02' })).toEqual([409, 'not_allowed_now'])
    expect((await mark({ starred: true })).status).toBe(200)
    await stage.db('applications').where({ id }).update({ status: 'rejected' })
    stage.clock.now = at('2026-12-03T12:00')
    expect(await refusal({ present: false, day: '2026-12-02' })).toEqual([409, 'not_allowed_now'])
  })
})

describe('two notes about one applicant from two phones', () => {
  const on = (name: string) => ({ id: name.toLowerCase(), name })
  const write = async (phone: string, note: string, noteOver?: string | null) =>
    (
      await stage.run('markApplication', {
        as: stage.olivia,
        device: on(phone),
        params: { beaconId: id },
        body: { note, ...(noteOver === undefined ? {} : { noteOver }) },
      })
    ).body

  it('leave the newest word standing and the other beside it, with its device and its time', async () => {
    await write('Phone', 'Speaks Spanish', null)
    const writtenAt = stage.clock.now.toISOString()
    stage.clock.now = new Date(stage.clock.now.getTime() + 60_000)
    const both = await write('Tablet', 'Met in Berlin', null)
    expect(both).toMatchObject({
      note: 'Met in Berlin',
      otherNotes: [{ note: 'Speaks Spanish', at: writtenAt, device: 'Phone' }],
    })
    const [listed] = (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body
    expect(listed?.otherNotes).toEqual(both.otherNotes)
  })

  it('change places when the other one is brought back', async () => {
    await write('Phone', 'Speaks Spanish', null)
    await write('Tablet', 'Met in Berlin', null)
    const back = await write('Tablet', 'Speaks Spanish', 'Met in Berlin')
    expect(back).toMatchObject({ note: 'Speaks Spanish', otherNotes: [{ note: 'Met in Berlin', device: 'Tablet' }] })
    expect(back.otherNotes).toHaveLength(1)
  })

  it('are one note after an ordinary edit, and where both say the same', async () => {
    await write('Phone', 'Speaks Spanish', null)
    const edited = await write('Phone', 'Speaks Spanish and Catalan', 'Speaks Spanish')
    expect([edited.note, edited.otherNotes]).toEqual(['Speaks Spanish and Catalan', undefined])
    const same = await write('Tablet', 'Speaks Spanish and Catalan', null)
    expect(same.otherNotes).toBeUndefined()
    const cleared = await write('Phone', '', 'Speaks Spanish and Catalan')
    expect([cleared.note, cleared.otherNotes]).toEqual([null, undefined])
  })

  it('are kept when one of them is the removal of the note', async () => {
    await write('Phone', 'Speaks Spanish', null)
    await write('Phone', 'Speaks Catalan', 'Speaks Spanish')
    const removed = await write('Tablet', '', 'Speaks Spanish')
    expect(removed).toMatchObject({ note: null, otherNotes: [{ note: 'Speaks Catalan', device: 'Phone' }] })
  })

  it('are taken at their word from an app that does not say what it saw', async () => {
    await write('Phone', 'Speaks Spanish')
    const newest = await write('Tablet', 'Met in Berlin')
    expect([newest.note, newest.otherNotes]).toEqual(['Met in Berlin', undefined])
  })

  it('are ten at most beside the newest, and one can be forgotten', async () => {
    for (let number = 1; number <= 13; number += 1) await write('Phone', `Note ${number}`, 'never seen')
    const all = await write('Phone', 'Note 13', 'never seen')
    expect(all.otherNotes?.map(({ note }) => note)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Note ${number}`),
    )
    const fewer = (await mark({ forgetNote: 'Note 12' })).body
    expect(fewer.note).toBe('Note 13')
    expect(fewer.otherNotes?.[0]?.note).toBe('Note 11')
    expect(fewer.otherNotes).toHaveLength(9)
  })
})
