import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { reachability } from '../api/reachability.ts'
import { deviceDb } from '../device/device-tables.ts'
import { createEvent } from '../outbox/mutations/create-event.ts'
import { outbox, outboxStore } from '../outbox/store/opened-outbox.ts'
import { eventFields } from '../outbox/testing/people.ts'
import { NoEventId, renewEventIds, topUpEventIds, withEventId, type EventLease } from './event-ids.ts'

// What Node 20 lacks of a browser; the queue reads it when it is opened. Locks wait in line, as a browser's do.
vi.hoisted(() => {
  const lines = new Map<string, Promise<unknown>>()
  const locks = {
    request: async (name: string, first: unknown, second?: () => Promise<unknown>) => {
      const body = (typeof first === 'function' ? first : second) as () => Promise<unknown>
      if (name !== 'beaconry-event-ids') return await body()
      const turn = (lines.get(name) ?? Promise.resolve()).then(body)
      lines.set(
        name,
        turn.catch(() => undefined),
      )
      return await turn
    },
  }
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: 'Chrome/150 Linux', locks },
    configurable: true,
  })
})

const userId = 1
/** A server that knows which numbers this device was given and which became events. */
let server: { given: number[]; used: Set<number>; asked: { count: number; besides: number[] }[]; isUp: boolean }
/** Set to keep the next answer back. */
let answerAfter: Promise<void> | undefined

beforeEach(async () => {
  server = { given: [], used: new Set(), asked: [], isUp: true }
  answerAfter = undefined
  reachability.set('unreachable')
  await deviceDb.settings.clear()
  const everything = await outbox.pendingFor(userId)
  await outboxStore.change([], () => ({ remove: everything.map(({ seq }) => seq), result: undefined }))
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    if (url !== '/api/organizer/event-ids' || !server.isUp) throw new TypeError('Failed to fetch')
    const asked = JSON.parse(body) as { count: number; besides: number[] }
    server.asked.push(asked)
    const unused = () => server.given.filter((id) => !server.used.has(id) && !asked.besides.includes(id))
    while (unused().length < asked.count) server.given.push(100 + server.given.length)
    const ids = unused().slice(0, asked.count)
    await answerAfter
    const headers = { 'X-Beaconry': '1', 'Content-Type': 'application/json' }
    return new Response(JSON.stringify({ ids, proofs: ids.map((id) => `proof-${id}`) }), { status: 200, headers })
  })
})

const enqueueWith = async ({ id, proof }: EventLease) => {
  const args = {
    id,
    lease: proof ?? '',
    organizerId: userId,
    fields: eventFields,
    timeZone: 'America/Chicago',
    createdAt: '2026-11-22T12:00:00.000Z',
  }
  await outbox.enqueue(createEvent, args, { userId })
  return id
}
const create = () => withEventId(userId, enqueueWith)

describe('event numbers on a phone', () => {
  it('last for at least twenty-five events in a row without a network, each under a number and proof of its own', async () => {
    await renewEventIds(userId)
    server.isUp = false
    const ids: number[] = []
    for (let count = 0; count < 25; count += 1) ids.push(await create())
    expect(new Set(ids).size).toBe(25)
    const entries = await outbox.pendingFor(userId)
    expect(entries.map(({ args }) => (args as { lease: string }).lease)).toEqual(ids.map((id) => `proof-${id}`))
  })

  it('are two when two forms are sent in the same moment', async () => {
    await renewEventIds(userId)
    server.isUp = false
    expect(new Set(await Promise.all([create(), create(), create()])).size).toBe(3)
  })

  it('are fetched when the first one is needed, and missing without a network', async () => {
    server.isUp = false
    await expect(create()).rejects.toBeInstanceOf(NoEventId)
    server.isUp = true
    expect(await create()).toBe(100)
  })

  it('go back when the event could not be kept', async () => {
    await renewEventIds(userId)
    server.isUp = false
    await expect(withEventId(userId, async () => Promise.reject(new Error('The disk is full')))).rejects.toThrow('full')
    expect(await create()).toBe(100)
  })

  it('are topped up while there is a network, without those that wait in the queue', async () => {
    await renewEventIds(userId)
    server.isUp = false
    const made: number[] = []
    for (let count = 0; count < 8; count += 1) made.push(await create())
    server.isUp = true
    await topUpEventIds(userId)
    expect(server.asked.at(-1)!.besides).toEqual(expect.arrayContaining(made))
    server.isUp = false
    for (let count = 0; count < 30; count += 1) made.push(await create())
    expect(new Set(made).size).toBe(38)
  })

  it('are topped up by themselves after an event was created with a network', async () => {
    await renewEventIds(userId)
    reachability.set('reachable')
    for (let count = 0; count < 6; count += 1) await create()
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(1))
  })

  it('do not come back from an answer that was under way while one was used', async () => {
    await renewEventIds(userId)
    let letGo = () => {}
    answerAfter = new Promise((resolve) => (letGo = resolve))
    const renewing = renewEventIds(userId)
    await vi.waitFor(() => expect(server.asked).toHaveLength(2))
    const used = await create()
    // Sent, answered and settled before the older answer arrives.
    const everything = await outbox.pendingFor(userId)
    await outboxStore.change([], () => ({ remove: everything.map(({ seq }) => seq), result: undefined }))
    server.used.add(used)
    letGo()
    await renewing
    server.isUp = false
    const later: number[] = []
    for (let count = 0; count < 29; count += 1) later.push(await create())
    expect(later).not.toContain(used)
  })

  it('that an earlier version of the app had are used up first', async () => {
    await deviceDb.settings.put({ name: `event-ids/${userId}`, value: [11, 12] })
    server.isUp = false
    expect([await create(), await create()]).toEqual([11, 12])
    await expect(create()).rejects.toBeInstanceOf(NoEventId)
  })

  it('are replaced by what the server knows, when it was brought back from an earlier day', async () => {
    await renewEventIds(userId)
    server.given = [500, 501]
    await renewEventIds(userId)
    expect(await create()).toBe(500)
  })
})
