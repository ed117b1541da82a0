import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { revokeSessions, sessionHash } from '../http/session-cookies.ts'
import { setTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'
import { recordChanges } from '../feed/change-feed.ts'
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
  it('answers who asks for its head alone, at once', async () => {
    const cookie = `sid=${olivia.cookies.get('sid')}`
    const signal = AbortSignal.timeout(5_000)
    const answer = await fetch(`${first.origin}/api/sync/stream`, { method: 'HEAD', headers: { cookie }, signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')])
  })

  it('says first where every scope stands, then pokes for changes of another process', async () => {
    const stream = await open(second)
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'org', version: 0 } })
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'account', version: 0 } })
    await write(`org:${userId}`)
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'org', version: 1 } })
    await write(`account:${userId}`)
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'account', version: 1 } })
    stream.close()
  })

  it('tells each version once, in order, however fast they come', async () => {
    const stream = await follow(second)
    const last = stream.since + 15
    await Promise.all(Array.from({ length: 15 }, () => write(`org:${userId}`)))
    const told: number[] = []
    while (told.at(-1) !== last) told.push((await stream.next())?.data.version)
    expect(told).toEqual(Array.from({ length: 15 }, (_, index) => stream.since + 1 + index))
    stream.close()
  })

  it("says nothing about another organizer's changes", async () => {
    const { since, ...stream } = await follow(second)
    await write(`org:${userId + 1}`)
    await write(`org:${userId}`)
    expect(await stream.next()).toEqual({ event: 'poke', data: { scope: 'org', version: since + 1 } })
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
function deafStream({ destroyed = false } = {}) {
  const announce: ((scope: string, version: number) => void)[] = []
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
    destroyed,
    writableLength: 0,
    writeHead: () => undefined,
    setTimeout: (_: number, tell: () => void) => socket.on('silence', tell),
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
  const opened = streams.open(response as unknown as ServerResponse, { userId, organizerId: userId }, null)
  return {
    response,
    streams,
    opened,
    announce: (version: number) => announce[0]?.(`org:${userId}`, version),
  }
}

it('a stream being opened hears what is announced while it reads where the scopes stand', async () => {
  const { response, announce } = deafStream()
  announce(777)
  await expect.poll(() => response.written).toContain('"account"')
  await expect.poll(() => response.written).toContain('{"scope":"org","version":777}')
})

it('a stream whose connection was closed before it was opened is none', async () => {
  const { response, streams, opened } = deafStream({ destroyed: true })
  await opened
  expect([streams.count(), response.written]).toEqual([0, ''])
})

it('a stream says something after a silence', async () => {
  const { response, opened } = deafStream()
  await opened
  response.emit('silence')
  expect(response.written).toMatch(/\n\n: still here\n\n$/)
})

it('a consumer that does not read is cut instead of piling up pokes', async () => {
  const { response, streams, opened, announce } = deafStream()
  await opened
  let version = 1_000_000
  while (!response.destroyed && version < 1_010_000) {
    await new Promise((resolve) => setImmediate(resolve))
    announce(++version)
  }
  expect(response.destroyed).toBe(true)
  expect(response.written.length).toBeLessThan(70_000)
  expect(streams.count()).toBe(0)
})
