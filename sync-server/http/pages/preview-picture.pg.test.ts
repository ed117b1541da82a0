import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { setTestServer } from '../../testing/test-server.ts'
import { eventBody } from '../../testing/route-rig.ts'
import { keepPreviews } from './preview-picture.ts'

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

it('a link’s picture is drawn from its event, kept by caches, and new after an edit', async () => {
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

it('a link’s picture shows the cover that was uploaded, in a size that messengers take', async () => {
  const event = await stage.publish()
  const drawn = await ask(event.id)
  const red = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#d01010' } })
    .jpeg()
    .toBuffer()
  const body = { picture: red.toString('base64') }
  expect((await stage.run('setEventCover', { as: stage.olivia, params: { id: event.id }, body })).status).toBe(200)
  const { status, body: png, header } = await ask(event.id, { etag: drawn.header('etag') })
  expect([status, header('content-type'), factsOf(png)]).toEqual([200, 'image/png', ['PNG', 1200, 630]])
  expect(png.length).toBeLessThan(300_000)
  const corner = { left: 1190, top: 10, width: 1, height: 1 }
  const [r = 0, g = 255, b = 255] = await sharp(png).extract(corner).removeAlpha().raw().toBuffer()
  expect([r > 150, g < 60, b < 60]).toEqual([true, true, true])
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

describe('pictures that many ask for', () => {
  const drawing = { svg: '<svg/>', foreign: [] }
  const png = Buffer.from('png')

  /** Pictures that are being painted, each with its end. */
  function painter() {
    const begun: { end: (body?: Buffer | null) => void; fail: () => void }[] = []
    const previews = keepPreviews(
      stage.db,
      () =>
        new Promise((resolve, reject) =>
          begun.push({ end: (body = png) => resolve(body), fail: () => reject(new Error('no')) }),
        ),
    )
    return { begun, ask: (id: number, key = 'one') => previews(id, key, drawing) }
  }
  const rows = async (eventId: number) => await stage.db('event_previews').where({ eventId }).select('hash', 'body')

  it('are each painted once: also for those who ask until then, and after a start of the server', async () => {
    const { id } = await stage.publish()
    const { begun, ask } = painter()
    const all = Promise.all([ask(id), ask(id), ask(id)])
    await expect.poll(() => begun.length).toBe(1)
    begun[0]?.end()
    expect(await all).toEqual([png, png, png])
    const later = painter()
    expect(await later.ask(id)).toEqual(png)
    expect([begun.length, later.begun.length]).toEqual([1, 0])
  })

  it('are painted again in another state, in place of the one before, and go with their event', async () => {
    const { id } = await stage.publish()
    const { begun, ask } = painter()
    for (const key of ['one', 'two']) {
      const asked = ask(id, key)
      await expect.poll(() => begun.length).toBe(key === 'one' ? 1 : 2)
      begun.at(-1)?.end()
      await asked
    }
    expect(await rows(id)).toEqual([{ hash: 'two', body: png }])
    await stage.run('deleteEvent', { as: stage.olivia, params: { id } })
    expect(await rows(id)).toEqual([])
  })

  it('are painted two at a time; twenty wait, and who comes then is sent away', async () => {
    const { begun, ask } = painter()
    const asked = Array.from({ length: 23 }, (_, index) => ask(0, String(index)))
    expect(await Promise.race(asked)).toBe('busy')
    expect(begun.length).toBe(2)
    for (let index = 0; index < 22; index += 1) {
      await expect.poll(() => begun.length).toBeGreaterThan(index)
      begun[index]?.end()
    }
    expect((await Promise.all(asked)).filter((answer) => answer === 'busy')).toHaveLength(1)
  })

  it('are painted again after a failure, and after a day where no font could write them', async () => {
    const { id } = await stage.publish()
    const { begun, ask } = painter()
    const failing = ask(id)
    await expect.poll(() => begun.length).toBe(1)
    begun[0]?.fail()
    await expect(failing).rejects.toThrow('no')
    const unwritten = ask(id)
    await expect.poll(() => begun.length).toBe(2)
    begun[1]?.end(null)
    expect([await unwritten, await ask(id), begun.length]).toEqual([null, null, 2])
    await stage
      .db('event_previews')
      .where({ eventId: id })
      .update({ drawnAt: new Date(Date.now() - 90_000_000) })
    const again = ask(id)
    await expect.poll(() => begun.length).toBe(3)
    begun[2]?.end()
    expect(await again).toEqual(png)
  })
})
