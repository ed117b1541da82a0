import { beforeEach, expect, it } from 'vitest'
import { everywhere, nowhere, setPublicTraces, unlisted } from '../testing/public-traces.ts'
import { eventBody } from '../testing/route-rig.ts'

const { server, olivia, publish, edit, seen } = await setPublicTraces()
let eventId = 0
let token = ''
beforeEach(async () => {
  ;({ eventId, token } = await publish())
})

it('an unlisted event works by its link and is in no list', async () => {
  expect(await seen(eventId)).toEqual(everywhere)
  expect((await edit(eventId, { visibility: 'unlisted' })).visibility).toBe('unlisted')
  expect(await seen(eventId)).toEqual(unlisted)
  const answer = await server.client().call('getEvent', { params: { id: eventId } })
  expect(answer.text).not.toContain('visib')
})

it('a hidden event does not exist for the public, and comes back whole', async () => {
  await edit(eventId, { visibility: 'hidden' })
  expect(await seen(eventId)).toEqual(nowhere)
  const rows = await server.db('sync_log').where({ scope: 'public', deleted: false }).select('collection', 'body')
  expect(rows.filter(({ body }) => body?.includes(String(eventId)))).toEqual([])
  const own = (await olivia.call('listOrganizerEvents')).body.find(({ id }: { id: number }) => id === eventId)
  expect(own).toMatchObject({ visibility: 'hidden', approvedCount: 1 })
  await edit(eventId, { visibility: null })
  expect(await seen(eventId)).toEqual(everywhere)
})

it('an event can be prepared before anyone sees it', async () => {
  const { id } = await olivia.ok('createEvent', { body: eventBody({ visibility: 'hidden' }) })
  expect(await seen(id)).toEqual(nowhere)
})

it('who applied before keeps the own page while the event is hidden, and cannot apply again', async () => {
  const own = async () =>
    (await server.client().call('getOwnApplication', { headers: { 'X-Application-Token': token } })).body
  expect(await own()).not.toHaveProperty('event')
  await edit(eventId, { visibility: 'hidden' })
  expect(await own()).toMatchObject({ status: 'approved', event: { id: eventId, applicationsClosed: true } })
  const said = await server.call('sayComing', { body: { token, coming: true } })
  expect([said.status, said.body.coming]).toEqual([200, true])
  await server.call('withdrawApplication', { body: { token } })
  expect((await server.call('applyAgain', { body: { token } })).body.code).toBe('not_allowed_now')
})
