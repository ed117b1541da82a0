import { describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()

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
