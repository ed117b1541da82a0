import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { eventHandlers } from '../events/event-handlers.ts'
import { eventBody } from '../testing/route-rig.ts'
import { setTestServer } from '../testing/test-server.ts'

/** Connections in a transaction, as each cover of this test found them once it was decoded. */
const inTransaction: number[] = []

const server = await setTestServer({
  handlers: {
    setEventCover: {
      before: async (call) => {
        const store = await eventHandlers.setEventCover.before(call)
        const { rows } = await server.db.raw<{ rows: { open: number }[] }>(
          `select count(*)::int as open from pg_stat_activity
         where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
        )
        inTransaction.push(rows[0]!.open)
        return store
      },
    },
  },
})
const olivia = await server.addOrganizer('Olivia')
beforeEach(() => server.db('rate_limits').del())

const newEvent = async (): Promise<number> => (await olivia.ok('createEvent', { body: eventBody() })).id
const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#f0a030' } })
  .jpeg()
  .toBuffer()
const cover = (id: number, given = picture) => ({
  key: randomUUID(),
  route: 'setEventCover',
  lane: `event:${id}`,
  params: { id },
  body: { picture: given.toString('base64') },
})
const sendBatch = async (entries: object[]) =>
  await olivia.call('replayMutations', { body: { account: olivia.userId, entries } })

it('a batch holds no database connection while it decodes covers', async () => {
  const ids = [await newEvent(), await newEvent()]
  inTransaction.length = 0
  const deletion = { key: randomUUID(), route: 'deleteEvent', lane: `event:${ids[1]}`, params: { id: ids[1] } }
  const { body } = await sendBatch([...ids.map((id) => cover(id)), deletion, cover(ids[1]!)])
  expect(body.map(({ status }: { status: number }) => status)).toEqual([200, 200, 204, 404])
  expect(inTransaction).toEqual([0, 0])
})

it('a refused picture costs all of its points, alone and in a batch', async () => {
  const id = await newEvent()
  const points = async () => {
    const { total } = (await server.db('rate_limits').sum('points as total').first()) as { total: string }
    await server.db('rate_limits').del()
    return Number(total)
  }
  await points()
  const broken = Buffer.concat([picture.subarray(0, 100), Buffer.alloc(50_000)])
  const minPoints = cover(id, broken).body.picture.length / 420
  expect((await olivia.call('setEventCover', { params: { id }, body: cover(id, broken).body })).status).toBe(400)
  expect(await points()).toBeGreaterThan(minPoints)
  expect((await sendBatch([cover(id, broken)])).body[0].status).toBe(400)
  expect(await points()).toBeGreaterThan(minPoints)
})
