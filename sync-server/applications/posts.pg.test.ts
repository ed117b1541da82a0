import { expect, it } from 'vitest'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

const place = async (beaconId: number, post: string | null) =>
  await stage.run('markApplication', { as: stage.olivia, params: { beaconId }, body: { post } })
const publicBeacons = async (id: number) => (await stage.run('listBeacons', { params: { id } })).body

it('a Beacon is given a post, which only they read, until guests may see it', async () => {
  const event = await stage.publish({ posts: 'Door 6–8 PM\nBar' })
  const { id, token } = (await stage.apply(event.id)).body
  await stage.decide(id, { status: 'approved' })
  const longest = `${'x'.repeat(79)}🎟`
  expect((await place(id, longest)).body).toMatchObject({ post: longest })
  expect((await place(id, `${longest}x`)).status).toBe(400)
  expect((await place(id, 'Door 6–8 PM')).body).toMatchObject({ post: 'Door 6–8 PM' })
  const own = async () => (await stage.run('getOwnApplication', { applicationToken: token })).body.briefing
  expect(await own()).toMatchObject({ post: 'Door 6–8 PM' })
  expect((await publicBeacons(event.id))[0]).not.toHaveProperty('post')

  const show = async (postsFor: string | null) =>
    await stage.run('updateEvent', {
      as: stage.olivia,
      params: { id: event.id },
      body: eventBody({ posts: 'Door 6–8 PM\nBar', postsFor }),
    })
  expect((await show('guests')).status).toBe(200)
  expect(await publicBeacons(event.id)).toMatchObject([{ post: 'Door 6–8 PM' }])
  await place(id, null)
  expect((await publicBeacons(event.id))[0]).not.toHaveProperty('post')
  expect(await own()).not.toHaveProperty('post')
  await place(id, 'Bar')
  await show(null)
  expect((await publicBeacons(event.id))[0]).not.toHaveProperty('post')
})

it('nobody who is not approved is given a post', async () => {
  const event = await stage.publish()
  const id = await stage.applicant(event.id)
  expect((await place(id, 'Bar')).body).toMatchObject({ code: 'not_allowed_now' })
  expect((await place(id, null)).status).toBe(200)
})
