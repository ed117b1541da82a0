import { beforeEach, expect, it } from 'vitest'
import { publishEverything } from '../app/nouns.ts'
import { everywhere, nowhere, setPublicTraces, unlisted } from '../testing/public-traces.ts'
import { purgeApplications } from './purge-applications.ts'

const { server, publish, edit, seen } = await setPublicTraces()
const { db } = server
const now = new Date()
const day = new Date(now.getTime() - 400 * 86_400_000).toISOString().slice(0, 10)
const days = { startDate: day, endDate: day }
let eventId = 0

/** Is everything that the public feed has of the event. */
const fed = async () =>
  await db('sync_log')
    .where({ scope: 'public', deleted: false })
    .whereRaw('body like ?', [`%${eventId}%`])
    .pluck('collection')
const stays = { ...unlisted, beacons: 0, applying: 409 }

beforeEach(async () => {
  ;({ eventId } = await publish())
  await db('events').where({ id: eventId }).update(days)
  await purgeApplications(db, now)
})

it('an event leaves the public feed after twelve months, and its page stays', async () => {
  const gone = await db('sync_log').where({ scope: 'public', deleted: true }).orderBy('version', 'desc').limit(2)
  expect(gone.map(({ collection }) => collection).toSorted()).toEqual(['beacons', 'events'])
  expect(await fed()).toEqual([])
  expect(await seen(eventId)).toEqual({ ...stays, isIndexed: true })
  await db.transaction((trx) => publishEverything(trx, now))
  expect(await fed(), 'after a restore').toEqual([])
})

it('an event that is long over is read as it was edited last, and hidden as any other', async () => {
  await edit(eventId, { ...days, name: 'Harbor Mixer of last year' })
  expect(await fed()).toEqual([])
  const read = async () => await server.client().call('getEvent', { params: { id: eventId } })
  expect((await read()).body).toMatchObject({ ...days, name: 'Harbor Mixer of last year', beaconCount: 0 })
  await edit(eventId, { ...days, visibility: 'hidden' })
  expect(await seen(eventId)).toEqual(nowhere)
})

it('an event that is moved after its applications were deleted is everywhere again', async () => {
  await edit(eventId, {})
  expect(await fed()).toEqual(['events'])
  expect(await seen(eventId)).toEqual({ ...everywhere, beacons: 0 })
})
