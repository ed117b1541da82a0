import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { eventBody } from '../testing/route-rig.ts'
import { setTestServer } from '../testing/test-server.ts'
import { recordChanges, type Change } from '../feed/change-feed.ts'
import { beginEpoch } from '../feed/epoch.ts'
import { readCheckpoint, writeCheckpoint } from '../feed/checkpoint.ts'
import { purgeExpired } from '../testing/purge-expired.ts'
import { expirySteps } from './purge.ts'

const server = await setTestServer()
const olivia = await server.addMember('Olivia')
const { userId } = olivia

const application = (id: number, document: object | null = { id, firstName: `Ben “${id}” \\ "x"` }): Change => ({
  scope: `org:${userId}`,
  collection: 'applications',
  docId: String(id),
  document,
})
const write = (...changes: Change[]) => server.db.transaction((trx) => recordChanges(trx, changes))
const pull = (query: Record<string, string | number> = {}) => olivia.call('pull', { query: { scope: 'org', ...query } })

/** The pulls of one copy from its checkpoint to the head, with how many documents each brought. */
async function pullOn(from?: string) {
  let checkpoint = from
  const pages: number[] = []
  const keys: string[] = []
  for (;;) {
    const { status, body } = await pull(checkpoint === undefined ? {} : { checkpoint })
    if (status !== 200) throw new Error(`${status} ${body.code}`)
    pages.push(body.documents.length)
    keys.push(...body.documents.map((document: { key: string }) => document.key))
    checkpoint = body.checkpoint
    if (!body.more) return { pages, keys, checkpoint: body.checkpoint as string, version: body.version as number }
  }
}

describe('pulling', () => {
  it('answers an empty scope with the epoch and the head', async () => {
    const { status, body } = await pull()
    expect(status).toBe(200)
    expect(body).toMatchObject({ documents: [], version: 0, head: 0 })
  })

  it('goes on page by page from the last document, then from the head', async () => {
    await write(...[1, 2, 3, 4, 5].map((id) => application(id)))
    await write({ scope: `org:${userId}`, collection: 'events', docId: '1', document: { id: 1 } })
    const first = (await pull({ limit: 3 })).body
    expect(
      first.documents.map((document: { key: string; version: number }) => [document.key, document.version]),
    ).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ])
    expect(first.documents[0].firstName).toBe('Ben “1” \\ "x"')
    expect(first).toMatchObject({ version: 3, head: 6 })
    const second = (await pull({ limit: 3, checkpoint: first.checkpoint })).body
    const named = ({ collection, key }: { collection: string; key: string }) => `${collection}/${key}`
    expect(second.documents.map(named)).toEqual(['applications/4', 'applications/5', 'events/1'])
    expect(second).toMatchObject({ version: 6, head: 6 })
    expect((await pull({ checkpoint: second.checkpoint })).body).toMatchObject({ documents: [], version: 6, head: 6 })
  })

  it('sends a deletion to who may have the document, and nothing to who starts', async () => {
    const { checkpoint } = (await pull()).body
    await write(application(2, null))
    expect((await pull({ checkpoint })).body.documents).toEqual([
      { collection: 'applications', key: '2', version: 7, _deleted: true },
    ])
    expect((await pull()).body.documents.map((document: { key: string }) => document.key)).toEqual([
      '1',
      '3',
      '4',
      '5',
      '1',
    ])
  })

  it("shows nothing of another organizer's scope", async () => {
    const otto = await server.addMember('Otto')
    expect((await otto.call('pull', { query: { scope: 'org' } })).body.documents).toEqual([])
  })

  it('tells a checkpoint of another epoch, before purges or of the future to start again', async () => {
    const { checkpoint, epoch: present } = (await pull()).body
    const { version, historyId } = readCheckpoint(checkpoint)!
    for (const broken of [
      writeCheckpoint({ epoch: randomUUID(), version, historyId }),
      writeCheckpoint({ epoch: present, version: version + 1, historyId }),
      'a text of another program',
    ]) {
      const { status, body } = await pull({ checkpoint: broken })
      expect([status, body.code, body.current]).toEqual([
        410,
        'reset',
        { reset: true, epoch: present, reason: 'history' },
      ])
    }
    const before = (await pull({ limit: 3 })).body.checkpoint
    const { checkpoint: newest } = await pullOn()
    await write(application(6))
    await server
      .db('sync_log')
      .where({ deleted: true })
      .update({ updatedAt: new Date('2020-01-01') })
    expect(await expirySteps.tombstones(server.db, new Date())).toBe(1)
    const old = await pull({ checkpoint: before.split('.').slice(0, 3).join('.') })
    expect([old.status, old.body.current.reason]).toEqual([410, 'horizon'])
    expect((await pullOn(newest)).keys).toEqual(['6'])

    const epoch = await beginEpoch(server.db)
    expect((await pull({ checkpoint })).body.current).toEqual({ reset: true, epoch, reason: 'history' })
    expect((await pull()).body.epoch).toBe(epoch)
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
  ])('is compressed when it is long: accepting %s gets %s', async (accepted, encoding) => {
    await write(...Array.from({ length: 50 }, (_, n) => application(100 + n)))
    const answer = await olivia.request('GET', '/api/sync/pull?scope=org', {
      headers: { 'accept-encoding': accepted },
    })
    expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([
      encoding,
      'no-store',
    ])
    expect(answer.body.documents.length).toBeGreaterThan(50)
  })
})

describe('the history of a feed', () => {
  /** Brings Olivia's scope back to what it was, as a copy of the files would, and lets others write since. */
  async function backTo(version: number, ...since: Change[]) {
    const scope = `org:${userId}`
    await server.db('sync_log').where({ scope }).where('version', '>', version).del()
    await server.db('sync_history').where({ scope }).where('version', '>', version).del()
    await server.db('sync_scope').where({ scope }).update({ version })
    if (since.length > 0) await write(...since)
  }

  it('is noticed to be another one although its versions have caught up', async () => {
    const { checkpoint: before, version } = await pullOn()
    await write(application(901), application(902))
    const { checkpoint } = await pullOn(before)
    await backTo(version, application(903), application(904), application(905))
    const { status, body } = await pull({ checkpoint })
    expect([status, body.current.reason]).toEqual([410, 'history'])
    expect((await pullOn(before)).keys).toEqual(['903', '904', '905'])
  })

  it('is noticed to be another by a change acknowledged in the lost one and not pulled', async () => {
    await addSubscription(server.db, userId, UNLIMITED)
    const { checkpoint: before, version } = await pullOn()
    const create = async (key: string) => {
      const { status, headers } = await olivia.call('createEvent', { key, body: eventBody() })
      expect(status).toBe(201)
      return headers.get('X-Checkpoint')!
    }
    const key = randomUUID()
    const acknowledged = await create(key)
    expect(await create(key), 'a repeated answer names the same').toBe(acknowledged)
    const later = await create(randomUUID())
    const named = { checkpoint: before, acknowledged: [acknowledged, later].join(',') }
    expect((await pull(named)).status).toBe(200)

    await backTo(version, application(906), application(907), application(908))
    expect((await pull({ checkpoint: before })).status, 'by the copy alone nothing is noticed').toBe(200)
    const { status, body } = await pull(named)
    expect([status, body.current.reason]).toEqual([410, 'history'])
    const own = await create(randomUUID())
    expect((await pull({ checkpoint: before, acknowledged: own })).status).toBe(200)
    expect((await pull({ checkpoint: before, acknowledged: `${own},not-ours` })).status).toBe(410)
  })

  it('is noticed to be another one at the very same version', async () => {
    const { checkpoint: before, version } = await pullOn()
    await write(application(911))
    const { checkpoint } = await pullOn(before)
    await backTo(version, application(912))
    expect((await pull({ checkpoint })).status).toBe(410)
  })

  it('goes on for a copy that was last told in the middle of a transaction', async () => {
    const { checkpoint: before } = await pullOn()
    await write(application(921), application(922), application(923))
    const { body } = await pull({ checkpoint: before, limit: 2 })
    expect(body.documents).toHaveLength(2)
    expect((await pullOn(body.checkpoint)).keys).toEqual(['923'])
  })

  it('is kept for 90 days, and of older times as far as a copy that missed nothing needs it', async () => {
    const { checkpoint: old } = await pullOn()
    await write(application(931))
    const { checkpoint: newest } = await pullOn()
    await server.db('sync_history').update({ madeAt: new Date('2020-01-01') })
    expect((await purgeExpired(server.db, new Date())).history).toBeGreaterThan(0)
    expect((await pull({ checkpoint: newest })).status).toBe(200)
    expect((await pull({ checkpoint: old })).status).toBe(410)
    await write(application(932))
    expect((await pullOn(newest)).keys).toEqual(['932'])
  })
})

it('ends a page by its size too, and says that more is there', async () => {
  const { checkpoint } = await pullOn()
  const long = 'x'.repeat(300_000)
  await write(...Array.from({ length: 20 }, (_, n) => application(2000 + n, { id: 2000 + n, bio: long })))
  const first = (await pull({ checkpoint })).body
  expect(JSON.stringify(first).length).toBeLessThan(2_500_000)
  expect([first.more, first.head]).toEqual([true, first.version])
  const { keys, pages } = await pullOn(checkpoint)
  expect(keys).toEqual(Array.from({ length: 20 }, (_, n) => String(2000 + n)))
  expect(pages.length).toBeGreaterThan(2)
  // One document alone is always sent, however large.
  await write(application(2100, { id: 2100, bio: 'y'.repeat(3_000_000) }), application(2101))
  expect((await pullOn((await pullOn(checkpoint)).checkpoint)).keys).toEqual([])
  expect((await pullOn(checkpoint)).keys.slice(-2)).toEqual(['2100', '2101'])
})

describe('a first copy of more than one page', () => {
  /** Documents from before deletions that nobody remembers any more. */
  async function somebodyWithALongPast() {
    const stranger = await server.addMember(`Organizer ${randomUUID().slice(0, 8)}`)
    const scope = `org:${stranger.userId}` as const
    const change = (id: number, document: object | null = { id }): Change => ({
      scope,
      collection: 'applications',
      docId: String(id),
      document,
    })
    const ask = async (query: Record<string, string | number>) =>
      await stranger.call('pull', { query: { scope: 'org', limit: 2, ...query } })
    const purge = async () => {
      const old = { updatedAt: new Date('2020-01-01') }
      await server.db('sync_log').where({ scope, deleted: true }).update(old)
      await expirySteps.tombstones(server.db, new Date())
    }
    await write(...[1, 2, 3, 4, 5, 9].map((id) => change(id)))
    await write(change(9, null))
    await purge()
    return { ask, change, purge }
  }

  it('comes to its end although deletions after its first page are forgotten', async () => {
    const { ask } = await somebodyWithALongPast()
    const keys: string[] = []
    let query: Record<string, string> = {}
    let version = 0
    for (let page = 1; page <= 3; page++) {
      const { status, body } = await ask(query)
      expect([page, status]).toEqual([page, 200])
      keys.push(...body.documents.map(({ key }: { key: string }) => key))
      query = { checkpoint: body.checkpoint }
      version = body.version
    }
    expect(keys).toEqual(['1', '2', '3', '4', '5'])
    expect(version).toBe(7)
    expect((await ask(query)).body).toMatchObject({ documents: [], more: false })
  })

  it('starts again when what was deleted since its first page is forgotten', async () => {
    const { ask, change, purge } = await somebodyWithALongPast()
    const first = (await ask({})).body
    await write(change(1, null))
    await purge()
    const { status, body } = await ask({ checkpoint: first.checkpoint })
    expect([status, body.current.reason]).toEqual([410, 'horizon'])
  })
})
