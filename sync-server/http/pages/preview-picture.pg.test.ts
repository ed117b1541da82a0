import { expect, it } from 'vitest'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { setTestServer } from '../../testing/test-server.ts'
import { eventBody } from '../../testing/route-rig.ts'

const stage = await setOrganizerStage()
const server = await setTestServer({ db: stage.db })

async function ask(id: number, { etag, method = 'GET' }: { etag?: string; method?: string } = {}) {
  const headers: Record<string, string> =
    etag === undefined ? {} : { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  const answer = await fetch(`${server.origin}/events/${id}/preview.png`, { method, headers, redirect: 'manual' })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, body, header: (name: string) => answer.headers.get(name) ?? '' }
}

/** What a PNG says of itself: its signature, and the width and height of its header. */
const factsOf = (png: Buffer) => [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]

it('a link’s picture is drawn from its event, kept by those who know it, and another one after an edit', async () => {
  const event = await stage.publish({ name: 'Founders Night' })
  const first = await ask(event.id)
  expect([first.status, first.header('content-type'), first.header('cache-control')]).toEqual([
    200,
    'image/png',
    'public, max-age=600',
  ])
  expect(factsOf(first.body)).toEqual(['PNG', 1200, 630])
  const etag = first.header('etag')
  expect(await ask(event.id, { etag })).toMatchObject({ status: 304, body: Buffer.alloc(0) })
  expect(await ask(event.id, { method: 'HEAD' })).toMatchObject({ status: 200, body: Buffer.alloc(0) })

  await stage.run('updateEvent', {
    as: stage.olivia,
    params: { id: event.id },
    body: eventBody({ name: 'Funders Night' }),
  })
  const second = await ask(event.id, { etag })
  expect([second.status, factsOf(second.body)]).toEqual([200, ['PNG', 1200, 630]])
  expect(second.body.equals(first.body)).toBe(false)
})

it('there is none of an event that is not there or gone', async () => {
  const event = await stage.publish()
  expect((await ask(event.id)).status).toBe(200)
  await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
  for (const id of [event.id, 999_999]) expect((await ask(id)).status).toBe(404)
})

it('a name that no font of the machine can write leads to the picture of the site', async () => {
  const event = await stage.publish({ name: 'A \u{10fff0} Night' })
  const { status, header } = await ask(event.id)
  expect([status, header('location'), header('etag')]).toEqual([302, '/link-preview.png', ''])
})
