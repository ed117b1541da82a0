import { describe, expect, it } from 'vitest'
import { exportAccount } from '../personal-data/export-account.ts'
import { eventBody } from '../testing/route-rig.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { sumOldViews } from './sum-views.ts'

const stage = await setOrganizerStage()
const hour = 3_600_000
const rooms = 'Which rooms do you know?'
const noAnswers = { experience: '', expertise: '', whyBeacon: '', networkingStyle: '', bio: '' }

async function view(id: number, from: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await stage.run('countView', { params: { id }, body: { from } })
}

/** Applies at an instant; answers the application with its token. */
async function applyAt(at: string, eventId: number, name: string, changes: Record<string, unknown> = {}) {
  stage.clock.now = new Date(at)
  const { status, body } = await stage.apply(eventId, { email: `${name}@example.com`, ...changes })
  expect(status).toBe(201)
  return body
}

async function decideAfter(hours: number, at: string, id: number, status: 'approved' | 'rejected'): Promise<void> {
  stage.clock.now = new Date(Date.parse(at) + hours * hour)
  expect((await stage.decide(id, { status })).status).toBe(200)
}

it('figures add up to what happened, per event and in all, and to nothing of others', async () => {
  const mixer = await stage.publish({ name: 'Mixer', startDate: '2099-03-01', customQuestions: [`${rooms} *`] })
  const supper = await stage.publish({
    name: 'Supper',
    startDate: '2099-03-02',
    endDate: '2099-03-03',
    showDefaultQuestions: false,
    customQuestions: [rooms],
  })
  await stage.addSubscription(stage.otto, 3)
  const ottos = await stage.run('createEvent', { as: stage.otto, body: eventBody({ name: 'Elsewhere' }) })
  await view(mixer.id, 'share', 3)
  await view(mixer.id, 'qr', 2)
  await view(supper.id, 'direct', 1)
  await view(ottos.body.id, 'site', 5)

  const answered = { customAnswers: [{ question: `${rooms} *`, answer: 'Both' }] }
  // Monday in Chicago; the second one late in its evening.
  const monday = '2026-11-02T15:00:00Z'
  const night = '2026-11-03T04:00:00Z'
  const wednesday = '2026-11-04T18:00:00Z'
  const thursday = '2026-11-05T18:00:00Z'
  const bea = await applyAt(monday, mixer.id, 'bea', { ...answered, cameFrom: 'share' })
  await decideAfter(1, monday, bea.id, 'approved')
  await stage.run('markApplication', { as: stage.olivia, params: { beaconId: bea.id }, body: { present: true } })
  const bo = await applyAt(night, mixer.id, 'bo', { ...answered, cameFrom: 'qr', experience: '3-5 times' })
  await decideAfter(3, night, bo.id, 'approved')
  const cy = await applyAt(wednesday, mixer.id, 'cy', answered)
  await decideAfter(2, wednesday, cy.id, 'rejected')
  await decideAfter(20, wednesday, cy.id, 'approved')
  await decideAfter(30, wednesday, cy.id, 'rejected')
  const di = await applyAt(wednesday, mixer.id, 'di', { ...answered, cameFrom: 'share' })
  await stage.run('withdrawApplication', { body: { token: di.token } })
  const ed = await applyAt(thursday, supper.id, 'ed', { ...noAnswers, cameFrom: 'direct' })
  await decideAfter(10, thursday, ed.id, 'approved')
  await applyAt(thursday, ottos.body.id, 'fay', { cameFrom: 'site' })

  stage.clock.now = new Date()
  const { status, body } = await stage.run('getAnalytics', { as: stage.olivia })
  expect(status).toBe(200)
  expect(body.sources).toEqual([
    { source: 'qr', views: 2, applications: 1 },
    { source: 'share', views: 3, applications: 2 },
    { source: 'search', views: 0, applications: 0 },
    { source: 'site', views: 0, applications: 0 },
    { source: 'direct', views: 1, applications: 1 },
    { source: 'unknown', views: 0, applications: 1 },
  ])
  // First answers took 1, 2, 3 and 10 hours; the withdrawal was none.
  expect(body.answers).toEqual({
    answered: 4,
    halfWithinMs: 2.5 * hour,
    nineOfTenWithinMs: expect.closeTo(7.9 * hour, 0) as number,
  })
  expect(body.events).toEqual([
    {
      id: supper.id,
      name: 'Supper',
      startDate: '2099-03-02',
      views: 1,
      applications: 1,
      approved: 1,
      came: 0,
      answered: 1,
      halfWithinMs: 10 * hour,
      nineOfTenWithinMs: 10 * hour,
    },
    {
      id: mixer.id,
      name: 'Mixer',
      startDate: '2099-03-01',
      views: 5,
      applications: 4,
      approved: 2,
      came: 1,
      answered: 3,
      halfWithinMs: 2 * hour,
      nineOfTenWithinMs: expect.closeTo(2.8 * hour, 0) as number,
    },
  ])
  expect(body.questions).toEqual([
    {
      question: 'How often have you been a Beacon or networking host before?',
      asked: 4,
      answered: 4,
      choices: [
        { choice: 'First time', applications: 3 },
        { choice: '1-2 times', applications: 0 },
        { choice: '3-5 times', applications: 1 },
        { choice: 'More than 5 times', applications: 0 },
      ],
    },
    ...[
      'What are your areas of expertise?',
      'Why do you want to be a Beacon at this event?',
      'How would you describe your networking style?',
      'A short bio for the event page',
    ].map((question) => ({ question, asked: 4, answered: 4 })),
    { question: rooms, asked: 5, answered: 4 },
  ])
  expect(body.weekdays).toEqual([2, 0, 2, 1, 0, 0, 0])

  const other = (await stage.run('getAnalytics', { as: stage.otto })).body
  expect(other.events.map(({ name, views, applications }) => [name, views, applications])).toEqual([
    ['Elsewhere', 5, 1],
  ])
  expect(other.answers).toEqual({ answered: 0, halfWithinMs: null, nineOfTenWithinMs: null })
})

it('the figures are for the plan without a limit while it runs, and for admins', async () => {
  const ask = async (as: typeof stage.otto) => (await stage.run('getAnalytics', { as })).status
  await stage.addSubscription(stage.otto, 2)
  expect(await ask(stage.otto)).toBe(402)
  await stage.addSubscription(stage.otto, 3, { endDate: new Date(Date.now() - 1000) })
  expect(await ask(stage.otto)).toBe(402)
  await stage.addSubscription(stage.otto, 3)
  expect(await ask(stage.otto)).toBe(200)
  const admin = await stage.addPerson(`Ada of ${stage.otto.username}`, { isAdmin: true })
  const { status, body } = await stage.run('getAnalytics', { as: admin })
  expect(status).toBe(200)
  expect(body).toMatchObject({ events: [], questions: [], weekdays: [0, 0, 0, 0, 0, 0, 0] })
})

describe('a view of an event’s page', () => {
  it('adds one on the day of the venue, by the way it came, and leaves nothing else behind', async () => {
    const { id } = await stage.publish()
    const linesBefore = await stage.db('audit_log').count()
    const view = async (from: string) => await stage.run('countView', { params: { id }, body: { from } })
    // In Chicago this is still the evening before.
    stage.clock.now = new Date('2026-11-03T03:00:00Z')
    expect(await view('qr')).toMatchObject({ status: 204 })
    await view('qr')
    await view('share')
    stage.clock.now = new Date('2026-11-03T18:00:00Z')
    await view('qr')
    expect(await stage.db('event_views').orderBy(['day', 'source'])).toEqual([
      { eventId: id, day: '2026-11-02', source: 'qr', views: 2 },
      { eventId: id, day: '2026-11-02', source: 'share', views: 1 },
      { eventId: id, day: '2026-11-03', source: 'qr', views: 1 },
    ])
    expect(await stage.db('audit_log').count()).toEqual(linesBefore)
    const told = await stage.run('getEventViews', { as: stage.olivia, params: { id } })
    expect(told.body).toEqual({ views: 4 })
  })

  it('keeps its day for 90 days, and counts for its event and its way after that', async () => {
    const { id } = await stage.publish()
    const { id: deleted } = await stage.publish()
    const now = new Date('2026-11-03T18:00:00Z')
    const viewed = (eventId: number, day: string, source: 'qr' | 'share', views: number) => ({
      eventId,
      day,
      source,
      views,
    })
    const recent = viewed(id, '2026-08-05', 'qr', 1)
    const ofDeleted = viewed(deleted, '2026-01-01', 'qr', 9)
    const old = [
      viewed(id, '2026-07-01', 'qr', 2),
      viewed(id, '2026-08-04', 'qr', 4),
      viewed(id, '2026-08-04', 'share', 8),
    ]
    await stage.db('event_views').insert([recent, ofDeleted, ...old])
    const figures = async () => [
      (await stage.run('getAnalytics', { as: stage.olivia })).body,
      (await stage.run('getEventViews', { as: stage.olivia, params: { id } })).body,
    ]
    const before = await figures()
    await stage.db.transaction(async (trx) => {
      await trx('events').where({ id: deleted }).forUpdate().first()
      const summed = await Promise.all([1, 2, 3].map(() => sumOldViews(stage.db, now)))
      expect(summed.reduce((sum, count) => sum + count, 0)).toBe(3)
    })
    expect(await stage.db('event_views').orderBy('day'), 'what is being deleted is passed over').toEqual([
      ofDeleted,
      recent,
    ])
    expect(await stage.db('event_view_sums').orderBy('source')).toEqual([
      { eventId: id, source: 'qr', views: 6 },
      { eventId: id, source: 'share', views: 8 },
    ])
    await stage.db('event_views').insert(viewed(id, '2026-07-02', 'qr', 0))
    expect(await sumOldViews(stage.db, now)).toBe(2)
    expect(await figures()).toEqual(before)
    expect(await exportAccount(stage.db, stage.olivia.userId)).toMatchObject({
      viewsByEvent: expect.arrayContaining([{ event_id: id, day: null, source: 'qr', views: 6 }]),
    })
  })

  it('by its organizer, an admin or a program does not count; by another organizer it does', async () => {
    const { id } = await stage.publish()
    const view = { params: { id }, body: { from: 'direct' } }
    const admin = await stage.addPerson(`Ada${id}`, { isAdmin: true })
    for (const call of [{ as: stage.olivia }, { as: admin }, { isRobot: true }])
      expect((await stage.run('countView', { ...view, ...call })).status).toBe(204)
    const views = async () => (await stage.run('getEventViews', { as: stage.olivia, params: { id } })).body
    expect(await views()).toEqual({ views: 0 })
    await stage.run('countView', { ...view, as: stage.otto })
    expect(await views()).toEqual({ views: 1 })
  })

  it('is refused for another way than the known ones, and for no event', async () => {
    const { id } = await stage.publish()
    expect((await stage.run('countView', { params: { id }, body: { from: 'Bea' } })).status).toBe(400)
    expect((await stage.run('countView', { params: { id: id - 1 }, body: { from: 'qr' } })).status).toBe(404)
    expect(await stage.db('event_views')).toEqual([])
  })
})

it('who was seen on the evening before and then did not come has not come', async () => {
  const { id: eventId } = await stage.publish()
  const eve = '2099-03-01T00:10:00.000Z'
  const day = '2099-03-02T00:10:00.000Z'
  const seen: [string, object, string][] = [
    ['built up alone', { '2099-02-28': eve }, eve],
    ['was missed then', { '2099-02-28': eve, '2099-03-01': null }, eve],
    ['missed the first day', { '2099-02-28': eve, '2099-03-01': null, '2099-03-02': day }, eve],
    ['was seen before days were kept', {}, day],
  ]
  for (const [firstName, presence, arrivedAt] of seen) {
    const id = await stage.applicant(eventId, { email: `${firstName.replaceAll(' ', '-')}@example.com` })
    await stage.decide(id, { status: 'approved' })
    await stage.db('applications').where({ id }).update({ presence, arrivedAt })
  }
  const { body } = await stage.run('getAnalytics', { as: stage.olivia })
  expect(body.events).toMatchObject([{ approved: 4, came: 3 }])
})

it('the way by which an applicant came is kept with the application and told in no document', async () => {
  const { id } = await stage.publish()
  const known = await stage.applicant(id, { cameFrom: 'share' })
  const silent = await stage.applicant(id, { email: 'bo@example.com' })
  const kept = await stage.db('applications').orderBy('id').select('id', 'cameFrom')
  expect(new Map(kept.map((row) => [row.id, row.cameFrom]))).toEqual(
    new Map([
      [known, 'share'],
      [silent, null],
    ]),
  )
  const documents = await stage.feed(`org:${stage.olivia.userId}`)
  expect(JSON.stringify(documents)).not.toContain('cameFrom')
  expect((await stage.apply(id, { email: 'bix@example.com', cameFrom: 'Bea' })).status).toBe(400)
})
