import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { askToCancel } from './cancel.ts'
import { createOutbox } from './enqueue.ts'
import { applyAsBeacon } from './mutations/apply-as-beacon.ts'
import { decideApplication, type DecideApplication } from './mutations/decide-application.ts'
import { deleteEvent } from './mutations/delete-event.ts'
import { updateEvent } from './mutations/update-event.ts'
import { createDexieStore, openOutboxDatabase } from './outbox-db.ts'
import { createReplayer, type WakeReason } from './replay.ts'
import { acknowledgedSeqs, settle } from './settle.ts'
import { manualTime, processLocks } from './testing/manual-time.ts'
import { ModelServer, problem } from './testing/model-server.ts'
import { answerOf, directTransport } from './testing/model-transport.ts'
import { beaFields, eventFields, oliviaId, ottoId } from './testing/people.ts'
import type { Transport, TransportRequest } from './transport.ts'

let phones = 0

/** A phone with its queue in IndexedDB, before a server with event 1 and Bea's, Ben's and Bo's applications 7, 8 and 9. */
function phone({ autoWake = true } = {}) {
  const server = new ModelServer()
  server.write('events', 1, { ...eventFields, edition: 1 })
  for (const id of [7, 8, 9]) server.write('applications', id, { eventId: 1, status: 'pending', decisionNumber: 0 })
  const time = manualTime()
  const network: { session: number | null; transport: Transport | undefined; requests: TransportRequest[] } = {
    session: oliviaId,
    transport: undefined,
    requests: [],
  }
  const direct = directTransport(server, () => network.session)
  const transport: Transport = (request) => {
    network.requests.push(request)
    return (network.transport ?? direct)(request)
  }
  const store = createDexieStore(openOutboxDatabase(`replay-test-${++phones}`))
  const locks = processLocks()
  let key = 0
  const newKey = () => `00000000-0000-4000-8000-${String(++key).padStart(12, '0')}`
  const open = (owner: string, timers = time.timers) =>
    createReplayer({ store, transport, locks, timers, now: time.now, random: () => 0.5, owner })
  const replayer = open('page')
  const outbox = createOutbox({
    store,
    now: time.now,
    newKey,
    wake: (reason) => (autoWake ? void replayer.wake(reason) : undefined),
    cancel: (account, id) => askToCancel(transport, account, id, new AbortController().signal),
  })
  const states = async (userId: number | null = oliviaId) => (await outbox.pendingFor(userId)).map(({ state }) => state)
  return { server, time, network, direct, store, open, replayer, outbox, states }
}

const approve = (applicationId: number, expectedDecisionNumber = 0): DecideApplication => ({
  applicationId,
  eventId: 1,
  name: 'Bea Brook',
  status: 'approved',
  from: 'pending',
  expectedDecisionNumber,
})
const olivia = { userId: oliviaId }
const noNetwork: Transport = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the queue', () => {
  it('holds a decision for eight seconds, sends it, and lets it go when the replica has it', async () => {
    const { server, time, outbox, store, states } = phone()
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await time.pass(7900)
    expect(await states()).toEqual(['held'])
    expect(server.effects).toEqual([])
    await time.pass(300)
    expect(await states()).toEqual(['acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 1 })
    const version = server.read('applications', 7)!.version
    expect(
      await settle({ store, wake: () => {} }, oliviaId, {
        epoch: 'e1',
        appliedVersion: version - 1,
        versionOf: () => version - 1,
      }),
    ).toBe(0)
    expect(
      await settle({ store, wake: () => {} }, oliviaId, {
        epoch: 'e1',
        appliedVersion: version - 1,
        versionOf: () => version,
      }),
    ).toBe(1)
    expect(await states()).toEqual([])
  })

  it('takes a decision back without anyone knowing, until it leaves', async () => {
    const { server, time, outbox, states } = phone()
    const first = await outbox.enqueue(decideApplication, approve(7), olivia)
    const second = await outbox.enqueue(decideApplication, approve(8), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    await time.pass(9000)
    expect(server.effects).toHaveLength(1)
    expect(await outbox.undo(second.seq)).toBe('too-late')
    expect(await states()).toEqual(['acknowledged'])
  })

  it('sends 250 changes in a few requests that the server takes, in order', async () => {
    const { server, time, outbox, network, replayer } = phone({ autoWake: false })
    for (let edition = 1; edition <= 250; edition++) {
      await outbox.enqueue(
        updateEvent,
        { id: 1, fields: { ...eventFields, name: `Mixer ${edition}` }, expectedEdition: edition },
        olivia,
      )
    }
    network.transport = undefined
    const report = replayer.wake('online')
    await time.pass(100)
    expect(await report).toMatchObject({ end: 'drained', waitingMs: undefined })
    expect(server.read('events', 1)).toMatchObject({ name: 'Mixer 250', edition: 251 })
    expect(network.requests.length).toBeLessThanOrEqual(3)
    expect(network.requests.every((request) => request.body.length < 250_000)).toBe(true)
  }, 30_000)

  it.each<WakeReason>([
    'enqueue',
    'page-start',
    'online',
    'visible',
    'stream-opened',
    'timer',
    'sync',
    'activate',
    'push',
    'sign-in',
  ])('goes out by itself on %s alone, at once', async (reason) => {
    const { server, time, outbox, network, open } = phone({ autoWake: false })
    network.transport = noNetwork
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    const failing = open('page')
    const failed = failing.wake('page-start')
    await time.pass(10)
    expect(await failed).toMatchObject({ end: 'unreachable' })
    failing.stop()
    network.transport = undefined
    // The timer has no reason to believe in a network, so it keeps to the waiting time.
    if (reason === 'timer') await time.pass(30_000)
    const report = open('other').wake(reason)
    await time.pass(10)
    expect(await report).toMatchObject({ end: 'drained' })
    expect(server.effects).toHaveLength(1)
  })

  it('tries again by its own timer while anything waits, and stops when nothing does', async () => {
    const { server, time, outbox, network } = phone()
    network.transport = noNetwork
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    await time.pass(300_000)
    const tried = network.requests.length
    expect(tried).toBeGreaterThan(9)
    network.transport = undefined
    await time.pass(31_000)
    expect(server.effects).toHaveLength(1)
    const sent = network.requests.length
    await time.pass(300_000)
    expect(network.requests.length).toBe(sent)
  })

  it('believes no answer that does not name the change', async () => {
    const { server, time, outbox, network, replayer, states } = phone({ autoWake: false })
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    const foreign = [
      answerOf(200, ['<html>Welcome to Hotel Wifi</html>'], { type: 'text/html', ours: false }),
      answerOf(200, ['{}'], { ours: false }),
      answerOf(200, ['{}']),
      answerOf(0, [], { ours: false }),
      answerOf(200, ['{"key":"00000000-0000-4000-8000-000000000001","status":20'], { type: 'application/x-ndjson' }),
      answerOf(200, ['{"key":"00000000-0000-4000-8000-000000000002","status":200}\n'], {
        type: 'application/x-ndjson',
      }),
      answerOf(200, ['{"key":"00000000-0000-4000-8000-000000000001","status":204}\n'], {
        type: 'application/x-ndjson',
        ours: false,
      }),
      answerOf(401, ['<html>Please log in to the proxy</html>'], { type: 'text/html', ours: false }),
      answerOf(404, ['{"code":"not_found","message":"x","requestId":"r"}'], { ours: false }),
    ]
    for (const answer of foreign) {
      network.transport = async () => answer
      const report = replayer.wake('online')
      await time.pass(10)
      await report
      expect(await states()).toEqual(['queued'])
    }
    expect(server.effects).toEqual([])
  })

  it('keeps the key of a change whose answer was lost, so that it happens once', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = async (request) => {
      await direct(request)
      throw new TypeError('Failed to fetch')
    }
    void replayer.wake('online')
    await time.pass(10)
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(10)
    expect(server.effects).toHaveLength(1)
    expect(await states()).toEqual(['acknowledged'])
    expect(network.requests).toHaveLength(2)
  })

  it('applies each line as it arrives, though the rest never comes', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    await outbox.enqueue(updateEvent, { id: 1, fields: eventFields, expectedEdition: 1 }, olivia)
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = async (request) => {
      const answer = await direct(request)
      return {
        ...answer,
        body: (async function* () {
          yield (await answer.body[Symbol.asyncIterator]().next()).value as string
          await new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted'))))
        })(),
      }
    }
    void replayer.wake('online')
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged', 'sending'])
    await time.pass(20_000)
    expect(await states()).toEqual(['acknowledged', 'queued'])
    expect(server.effects).toHaveLength(2)
  })

  it('sends less at once where a full request was met with silence, and everything again once that got through', async () => {
    const { time, outbox, network, replayer } = phone({ autoWake: false })
    for (let edition = 1; edition <= 120; edition++) {
      await outbox.enqueue(updateEvent, { id: 1, fields: eventFields, expectedEdition: edition }, olivia)
    }
    network.transport = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
    const silent = replayer.wake('online')
    await expect.poll(() => network.requests.length).toBe(1)
    await time.pass(20_000)
    expect(await silent).toMatchObject({ end: 'unreachable' })
    network.transport = undefined
    expect(await replayer.wake('online')).toMatchObject({ end: 'drained' })
    const sizes = network.requests.map(({ body }) => (JSON.parse(body) as { entries: unknown[] }).entries.length)
    expect(sizes).toEqual([120, 50, 70])
  }, 30_000)

  it('gives up a silent request three seconds after the network came back', async () => {
    const { server, time, outbox, network, replayer } = phone({ autoWake: false })
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    void replayer.wake('page-start')
    await time.pass(1000)
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(2100)
    expect(server.effects).toHaveLength(1)
  })

  it('robs a page that froze while it held the queue', async () => {
    const { server, time, outbox, network, open } = phone({ autoWake: false })
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = () => new Promise(() => {})
    void open('frozen', { after: () => () => {} }).wake('page-start')
    await time.pass(100)
    network.transport = undefined
    void open('other').wake('page-start')
    await time.pass(29_000)
    expect(server.effects).toHaveLength(0)
    await time.pass(10_000)
    expect(server.effects).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it('parks its change with the reason, stops its own lane only, and goes on after a retry under a new key', async () => {
    const { server, time, outbox, states } = phone()
    server.write('applications', 7, { eventId: 1, status: 'rejected', decisionNumber: 1 })
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(decideApplication, { ...approve(7), status: 'rejected', from: 'approved' }, olivia)
    await outbox.enqueue(decideApplication, approve(8), olivia)
    await time.pass(9000)
    expect(await states()).toEqual(['parked', 'blocked', 'acknowledged'])
    const [refused] = await outbox.pendingFor(oliviaId)
    expect(refused?.refusal).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect(await outbox.retry(refused!.seq)).toBe('retried')
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'rejected', decisionNumber: 3 })
    expect((await outbox.pendingFor(oliviaId))[0]?.key).not.toBe(refused?.key)
  })

  it('keeps edits and decisions with their content when the event was deleted on another device', async () => {
    const { server, time, outbox, states } = phone()
    server.write('applications', 7, null)
    server.write('events', 1, null)
    await outbox.enqueue(
      updateEvent,
      { id: 1, fields: { ...eventFields, name: 'Typed on the train' }, expectedEdition: 1 },
      olivia,
    )
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await time.pass(9000)
    expect(await states()).toEqual(['parked', 'parked'])
    expect((await outbox.pendingFor(oliviaId))[0]?.args).toMatchObject({ fields: { name: 'Typed on the train' } })
  })

  it('is none when what was to be deleted is gone already', async () => {
    const { server, time, outbox, states } = phone()
    server.write('events', 1, null)
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged'])
  })

  it('is put back where it stood when its discarding is undone', async () => {
    const { server, time, outbox, states } = phone()
    server.write('applications', 7, null)
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await time.pass(9000)
    const [parked] = await outbox.pendingFor(oliviaId)
    expect(await outbox.discard(parked!.seq)).toBe('discarded')
    expect(await states()).toEqual([])
    await outbox.putBack(parked!)
    expect(await outbox.pendingFor(oliviaId)).toEqual([parked])
  })

  it('of a whole request falls on the one change it means', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    network.transport = async (request) =>
      request.body.includes('"beaconId":8')
        ? answerOf(413, [JSON.stringify(problem('too_large'))])
        : await direct(request)
    for (const id of [7, 8, 9]) await outbox.enqueue(decideApplication, approve(id), olivia)
    await time.pass(8100)
    void replayer.wake('online')
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged', 'parked', 'acknowledged'])
    expect(server.effects).toHaveLength(2)
  })
})

describe('an account', () => {
  it("whose session ended pauses, and goes on when the same person signs in; nobody else's session sends it", async () => {
    const { server, time, outbox, network, states } = phone()
    await outbox.signedIn(oliviaId)
    network.session = null
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    await time.pass(100)
    expect(await states()).toEqual(['needsAuth'])
    network.session = ottoId
    await outbox.signedIn(ottoId)
    const before = network.requests.length
    await time.pass(60_000)
    expect(network.requests.length).toBe(before)
    expect(await outbox.pendingFor(ottoId)).toEqual([])
    network.session = oliviaId
    await outbox.signedIn(oliviaId)
    await time.pass(100)
    expect(server.effects).toHaveLength(1)
    expect(await states()).toEqual(['acknowledged'])
  })

  it('goes on when the stream opens, which proves the session that an answer from before denies', async () => {
    const { server, time, outbox, network, replayer, states } = phone()
    network.session = null
    await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    await time.pass(100)
    network.session = oliviaId
    void replayer.wake('online')
    await time.pass(100)
    expect(await states()).toEqual(['needsAuth'])
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.effects).toHaveLength(1)
  })

  it("is not needed for a visitor's application: its receipt is kept, whoever is signed in", async () => {
    const { server, time, outbox, network, store, states } = phone()
    await outbox.signedIn(ottoId)
    network.session = ottoId
    const entry = await outbox.enqueue(
      applyAsBeacon,
      { eventId: 1, eventName: 'Founders Mixer', fields: beaFields },
      { userId: null },
    )
    await time.pass(100)
    expect(await states(null)).toEqual([])
    expect(server.applied).toHaveLength(1)
    expect(await store.receipts()).toMatchObject([
      { key: entry.key, mutation: 'apply-as-beacon', answer: { eventId: 1, token: 't100' } },
    ])
  })
})

describe('discarding a change that may be on its way', () => {
  it('forbids it on the server, where it never happens however late it arrives', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    let late: TransportRequest | undefined
    network.transport = async (request) => {
      if (request.url.includes('cancellations')) return await direct(request)
      late = request
      throw new TypeError('Failed to fetch')
    }
    void replayer.wake('online')
    await time.pass(10)
    expect(await outbox.discard(entry.seq)).toBe('cancelled')
    expect(await states()).toEqual([])
    await direct({ ...late!, signal: new AbortController().signal })
    expect(server.effects).toEqual([])
  })

  it('says honestly that it had already happened, and fetches the answer', async () => {
    const { time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = async (request) => {
      await direct(request)
      throw new TypeError('Failed to fetch')
    }
    void replayer.wake('online')
    await time.pass(10)
    network.transport = undefined
    expect(await outbox.discard(entry.seq)).toBe('already-happened')
    void replayer.wake('enqueue')
    await time.pass(10)
    expect(await states()).toEqual(['acknowledged'])
  })

  it('is settled later when the server cannot be asked', async () => {
    const { server, time, outbox, network, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer' }, olivia)
    network.transport = noNetwork
    void replayer.wake('online')
    await time.pass(10)
    expect(await outbox.discard(entry.seq)).toBe('unknown')
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(10)
    expect(await states()).toEqual([])
    expect(server.effects).toEqual([])
    expect(network.requests.filter(({ url }) => url.includes('mutations'))).toHaveLength(1)
  })
})

describe('a restored server', () => {
  it('gets an acknowledged change again that it no longer knows', async () => {
    const { server, time, outbox, store, states } = phone()
    await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'New' }, expectedEdition: 1 }, olivia)
    await time.pass(100)
    const version = server.version
    const seqs = await acknowledgedSeqs(store, oliviaId)
    await settle({ store, wake: () => {} }, oliviaId, { epoch: 'e1', appliedVersion: version - 3, versionOf: () => 1 })
    expect(await states()).toEqual(['acknowledged'])
    await settle({ store, wake: () => {} }, oliviaId, {
      epoch: 'e1',
      appliedVersion: version - 3,
      versionOf: () => 1,
      pulledSince: seqs,
    })
    expect(await states()).toEqual(['queued'])
  })
})

describe('the queue as a file', () => {
  it('moves to another phone, where sending it again changes nothing', async () => {
    const { server, time, outbox, states } = phone()
    await outbox.enqueue(decideApplication, approve(7), olivia)
    const file = await outbox.exportQueue(oliviaId)
    await time.pass(9000)
    const other = phone({ autoWake: false })
    expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 1, skipped: 0 })
    expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 0, skipped: 1 })
    other.network.transport = directTransport(server, () => oliviaId)
    void other.replayer.wake('online')
    await other.time.pass(100)
    expect(await other.states()).toEqual(['acknowledged'])
    expect(await states()).toEqual(['acknowledged'])
    expect(server.effects).toHaveLength(1)
    await expect(other.outbox.importQueue(file, { userId: ottoId })).rejects.toThrow('another account')
    await expect(other.outbox.importQueue('{}', olivia)).rejects.toThrow('not a file of saved changes')
  })
})
