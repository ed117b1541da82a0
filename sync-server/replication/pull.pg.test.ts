import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'
import { recordChanges, resetEpoch, type Change } from './change-feed.ts'
import { purgeTombstones } from './purge.ts'

let server: TestServer
let olivia: TestClient
let userId: number

beforeAll(async () => {
  server = await startTestServer()
  userId = await server.createUser('Olivia')
  olivia = server.client()
  await olivia.signInAs(userId)
})
afterAll(() => server.close())

const application = (id: number, document: object | null = { id, firstName: `Ben “${id}” \\ "x"` }): Change => ({
  scope: `org:${userId}`,
  collection: 'applications',
  docId: String(id),
  document,
})
const write = (...changes: Change[]) => server.db.transaction((trx) => recordChanges(trx, changes))
const pull = (query: Record<string, string | number> = {}) =>
  olivia.call('pull', { query: { collection: 'applications', ...query } })

describe('pulling', () => {
  it('answers an empty collection with the epoch and the head', async () => {
    const { status, body } = await pull()
    expect(status).toBe(200)
    expect(body).toMatchObject({ documents: [], checkpoint: { version: 0 }, head: 0 })
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
    expect(first).toMatchObject({ checkpoint: { version: 3 }, head: 6 })
    const second = (await pull({ limit: 3, ...first.checkpoint })).body
    expect(second.documents.map((document: { key: string }) => document.key)).toEqual(['4', '5'])
    expect(second).toMatchObject({ checkpoint: { version: 6 }, head: 6 })
    expect((await pull({ ...second.checkpoint })).body).toMatchObject({
      documents: [],
      checkpoint: { version: 6 },
      head: 6,
    })
  })

  it('sends a deletion to who may have the document, and nothing to who starts', async () => {
    const { checkpoint } = (await pull()).body
    await write(application(2, null))
    expect((await pull(checkpoint)).body.documents).toEqual([{ key: '2', version: 7, _deleted: true }])
    expect((await pull()).body.documents.map((document: { key: string }) => document.key)).toEqual(['1', '3', '4', '5'])
  })

  it("shows nothing of another organizer's scope", async () => {
    const otto = server.client()
    await otto.signInAs(await server.createUser('Otto'))
    expect((await otto.call('pull', { query: { collection: 'applications' } })).body.documents).toEqual([])
  })

  it('tells a checkpoint of another epoch, from before purged deletions or from the future to start again', async () => {
    const { checkpoint } = (await pull()).body
    for (const broken of [
      { ...checkpoint, epoch: randomUUID() },
      { ...checkpoint, version: checkpoint.version + 1 },
    ]) {
      const { status, body } = await pull(broken)
      expect([status, body.code, body.current]).toEqual([410, 'reset', { reset: true, epoch: checkpoint.epoch }])
    }
    await write(application(6))
    await server
      .db('sync_log')
      .where({ deleted: true })
      .update({ updated_at: new Date('2020-01-01') })
    expect(await purgeTombstones(server.db, new Date())).toBe(1)
    expect((await pull({ ...checkpoint, version: 6 })).status).toBe(410)
    expect(
      (await pull({ ...checkpoint, version: 7 })).body.documents.map((document: { key: string }) => document.key),
    ).toEqual(['6'])

    const epoch = await resetEpoch(server.db)
    expect((await pull(checkpoint)).body.current).toEqual({ reset: true, epoch })
    expect((await pull()).body.checkpoint.epoch).toBe(epoch)
  })

  it('is compressed when it is long and the browser can read it', async () => {
    await write(...Array.from({ length: 50 }, (_, n) => application(100 + n)))
    const answer = await olivia.request('GET', '/api/sync/pull?collection=applications', {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual(['gzip', 'no-store'])
    expect(answer.body.documents.length).toBeGreaterThan(50)
  })
})
