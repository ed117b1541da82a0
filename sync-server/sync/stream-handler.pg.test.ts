import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { revokeSessions, sessionHash } from '../http/session-cookies.ts'
import { setTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'
import { recordChanges } from '../feed/change-feed.ts'
import type { FeedAnnouncement } from '../feed/feed-listener.ts'
import { createLiveStreams } from './stream-handler.ts'

const first = await setTestServer()
const second = await setTestServer({ db: first.db })
const olivia = await first.addMember('Olivia')
const { userId } = olivia

async function open(server: TestServer, client: TestClient = olivia) {
  const controller = new AbortController()
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${server.origin}/api/sync/stream`, { headers: { cookie }, signal: controller.signal })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  return {
    /** The next event; waits for it. Undefined when the stream has ended. */
    next: async (): Promise<{ event: string; data: any } | undefined> => {
      for (;;) {
        const end = buffer.indexOf('\n\n')
        if (end >= 0) {
          const [event = '', data = ''] = buffer.slice(0, end).split('\n')
          buffer = buffer.slice(end + 2)
          if (!event.startsWith(':'))
            return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
          continue
        }
        const chunk = await reader.read()
        if (chunk.done) return undefined
        buffer += chunk.value
      }
    },
    close: () => controller.abort(),
  }
}

/** One whose first two events are read, and the version at which it begins. */
async function follow(server: TestServer, client?: TestClient) {
  const stream = await open(server, client)
  const since: number = (await stream.next())?.data.version
  await stream.next()
  return { ...stream, since }
}

let docs = 0
const write = (scope: `org:${number}` | `account:${number}`) =>
  first.db.transaction((trx) =>
    recordChanges(trx, [{ scope, collection: 'events', docId: String(++docs), document: { id: docs } }]),
  )

describe('a live stream', () => {
  it('begins with where every scope stands, then pokes for a change made by another server process', async () => {
    const stream = await open(second)
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'org', version: 0 } })
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'account', version: 0 } })
    await write(`org:${userId}`)
    expect(await stream.next()).toMatchObject({
      event: 'poke',
      data: { scope: 'org', version: 1, since: 0, collections: ['events'] },
    })
    await write(`account:${userId}`)
    expect(await stream.next()).toMatchObject({ event: 'poke', data: { scope: 'account', version: 1 } })
    stream.close()
  })

  it('brings few and small documents itself, as a pull from there would', async () => {
    await write(`org:${userId}`)
    const stream = await follow(second)
    const pull = async (from = '') => (await olivia.request('GET', `/api/sync/pull?collection=events${from}`)).body
    const { checkpoint } = await pull()
    await first.db.transaction((trx) =>
      recordChanges(trx, [
        { scope: `org:${userId}`, collection: 'events', docId: '71', document: { id: 71, bio: '"quoted"\n' } },
        { scope: `org:${userId}`, collection: 'events', docId: String(docs), document: null },
      ]),
    )
    const { data } = (await stream.next())!
    const pulled = await pull(`&checkpoint=${checkpoint}`)
    expect(pulled.documents).toHaveLength(2)
    expect(data.carried).toEqual({
      from: checkpoint,
      to: pulled.checkpoint,
      documents: { events: pulled.documents },
    })
    expect(data.version).toBe(pulled.head)
    stream.close()
  })

  it.each([
    ['many', Array.from({ length: 21 }, (_, index) => ({ docId: `9${index}`, document: { id: index } }))],
    ['large', [{ docId: '90', document: { id: 90, bio: 'x'.repeat(17_000) } }]],
  ])('leaves %s documents to be pulled', async (_, documents) => {
    const stream = await follow(second)
    await first.db.transaction((trx) =>
      recordChanges(
        trx,
        documents.map((one) => ({ scope: `org:${userId}`, collection: 'applications' as const, ...one })),
      ),
    )
    const { data } = (await stream.next())!
    expect(data.collections).toEqual(['applications'])
    expect(data).not.toHaveProperty('carried')
    stream.close()
  })

  it('tells each version once, in order, however fast they come', async () => {
    const stream = await follow(second)
    let version = stream.since
    const last = version + 15
    await Promise.all(Array.from({ length: 15 }, () => write(`org:${userId}`)))
    let documents = 0
    while (version < last) {
      const { data } = (await stream.next())!
      expect(data.since).toBe(version)
      expect(data.version).toBeGreaterThan(version)
      version = data.version
      documents += data.carried?.documents.events.length ?? 0
    }
    expect(documents).toBe(15)
    stream.close()
  })

  it("says nothing about another organizer's changes", async () => {
    const { since, ...stream } = await follow(second)
    await write(`org:${userId + 1}`)
    await write(`org:${userId}`)
    expect(await stream.next()).toMatchObject({ event: 'poke', data: { scope: 'org', version: since + 1, since } })
    stream.close()
  })

  it('asks everyone to look again when listening was interrupted', async () => {
    const stream = await follow(second)
    await first.db.raw(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'beaconry-listen' and datname = current_database()",
    )
    expect(await stream.next()).toEqual({ event: 'resync', data: {} })
    await write(`org:${userId}`)
    expect((await stream.next())?.event).toBe('poke')
    stream.close()
  })

  it('ends when its session is ended, on whichever server', async () => {
    const phone = first.client()
    await phone.signInAs(userId)
    const stream = await follow(second, phone)
    await revokeSessions(first.db, { idHash: sessionHash(phone.cookies.get('sid') ?? '') }, new Date())
    expect(await stream.next()).toBeUndefined()
    const again = await phone.request('GET', '/api/sync/stream')
    expect([again.status, again.body.code]).toEqual([401, 'session_revoked'])
  })

  it('is told to come back later when its server stops, and new ones are turned away', async () => {
    const third = await setTestServer({ db: first.db })
    const stream = await follow(third)
    third.app.drain()
    const goodbye = await stream.next()
    expect(goodbye?.event).toBe('come-back')
    expect(goodbye?.data.afterMs).toBeGreaterThanOrEqual(500)
    expect(goodbye?.data.afterMs).toBeLessThanOrEqual(5000)
    expect(await stream.next()).toBeUndefined()
    expect((await third.client().request('GET', '/readyz')).status).toBe(503)
    expect((await olivia.request('GET', `${third.origin}/api/sync/stream`)).status).toBe(503)
    await third.close()
  })
})

/** A response whose other end takes nothing, and a listener the test speaks for. */
function deafStream() {
  const announce: ((scope: string, announcement: FeedAnnouncement) => void)[] = []
  const listener = {
    onAnnouncement: (tell: (typeof announce)[number]) => void announce.push(tell),
    onResumed: () => undefined,
    isAlive: () => true,
    hearsItself: async () => true,
    close: async () => undefined,
  }
  const socket = new EventEmitter()
  const response = Object.assign(socket, {
    written: '',
    destroyed: false,
    writableLength: 0,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    end: () => undefined,
    write(text: string) {
      this.written += text
      this.writableLength += text.length
    },
    destroy() {
      this.destroyed = true
      socket.emit('close')
    },
  })
  const streams = createLiveStreams(first.db, listener)
  const closed = streams.open(response as unknown as ServerResponse, userId, null)
  return {
    response,
    streams,
    closed,
    announce: (version: number) => announce[0]?.(`org:${userId}`, { version, since: version - 1, collections: [] }),
  }
}

it('a stream that is just being opened hears of what is announced while it reads where the scopes stand', async () => {
  const { response, closed, announce } = deafStream()
  announce(777)
  await expect.poll(() => response.written).toContain('"account"')
  await expect.poll(() => response.written).toContain('{"scope":"org","version":777,')
  response.destroy()
  await closed
})

it('a consumer that does not read is cut instead of piling up pokes', async () => {
  const { response, streams, closed, announce } = deafStream()
  let version = 1_000_000
  while (!response.destroyed && version < 1_010_000) {
    await new Promise((resolve) => setImmediate(resolve))
    announce(++version)
  }
  await closed
  expect(response.destroyed).toBe(true)
  expect(response.written.length).toBeLessThan(70_000)
  expect(streams.count()).toBe(0)
})
