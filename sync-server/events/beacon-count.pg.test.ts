import { expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { openPool } from '../testing/route-rig.ts'

const stage = setOrganizerStage()

const listed = async () => (await stage.run('listEvents', { query: {} })).body.map(({ beaconCount }) => beaconCount)

it('the list tells how many Beacons guests will meet, as of each decision, withdrawal and answer', async () => {
  const { id: eventId } = await stage.publish()
  expect(await listed()).toEqual([0])
  const { body: bea } = await stage.apply(eventId)
  const token = bea.token
  const bo = await stage.applicant(eventId, { email: 'bo@example.com' })
  expect(await listed()).toEqual([0])
  await stage.decide(bea.id, { status: 'approved' })
  const approved = await stage.decide(bo, { status: 'approved' })
  expect(await listed()).toEqual([2])
  await stage.run('sayComing', { body: { token, coming: false } })
  expect(await listed()).toEqual([1])
  await stage.run('sayComing', { body: { token, coming: true } })
  expect(await listed()).toEqual([2])
  await stage.decide(bo, { status: 'rejected', basis: approved.body.basis })
  expect(await listed()).toEqual([1])
  await stage.run('withdrawApplication', { body: { token } })
  expect(await listed()).toEqual([0])
})

it('a rejection presents no event anew; decisions that arrive together each count the others, and the last one closes', async () => {
  const { id: eventId } = await stage.publish({ maxBeacons: 6 })
  const ids: number[] = []
  for (let index = 0; index < 6; index += 1)
    ids.push(await stage.applicant(eventId, { email: `ben-${index}@example.com` }))
  const version = async () => (await stage.db('sync_scope').where({ scope: 'public' }).first('version'))?.version
  const before = await version()
  await stage.decide(await stage.applicant(eventId), { status: 'rejected' })
  expect(await version()).toBe(before)
  await openPool(stage.db)
  await Promise.all(ids.map((id) => stage.decide(id, { status: 'approved' })))
  expect(await listed()).toEqual([6])
  expect((await stage.run('getEvent', { params: { id: eventId } })).body.applicationsClosed).toBe(true)
})
