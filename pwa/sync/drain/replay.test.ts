import { describe, expect, it } from 'vitest'
import { applyAsBeacon } from '../queue/mutations/apply-as-beacon.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import { setEventCover } from '../queue/mutations/set-event-cover.ts'
import type { WakeReason } from './wake.ts'
import { answerOf } from '../testing/model-transport.ts'
import { beaFields, oliviaId, ottoId } from '../testing/people.ts'
import { add, queuedEntry } from '../testing/queued-entry.ts'
import { noNetwork, olivia, phone, silentNetwork } from '../testing/queue-phone.ts'

describe('the queue', () => {
  it('holds a decision for eight seconds, sends it, and lets it go when the replica has it', async () => {
    const { server, time, settleAt, states, enqueueApproval } = phone()
    await enqueueApproval(7)
    await time.pass(7900)
    expect(await states()).toEqual(['held'])
    expect(server.effects).toEqual([])
    await time.pass(300)
    expect(await states()).toEqual(['acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 1 })
    const version = server.read('applications', 7)!.version
    expect(await settleAt({ appliedVersion: version - 1, versionOf: () => version - 1 })).toBe(0)
    expect(await settleAt({ appliedVersion: version - 1, versionOf: () => version })).toBe(1)
    expect(await states()).toEqual([])
  })

  it('removes a rehearsal that a dead page left behind, and never sends it', async () => {
    const { server, network, store, time, wake, states } = phone({ autoWake: false })
    await add(store, [queuedEntry('rehearsed', { state: 'held', rehearsal: true, nextAt: time.now() + 8_000 })])
    await wake('page-start')
    expect(await states()).toEqual(['held'])
    await time.pass(8_100)
    await wake('timer')
    expect(await states()).toEqual([])
    expect([server.effects, network.requests]).toEqual([[], []])
  })

  it('sends 250 changes in a few requests that the server takes, in order', async () => {
    const { server, time, network, replayer, enqueueEdit } = phone({ autoWake: false })
    for (let edition = 1; edition <= 250; edition++) {
      await enqueueEdit(`Mixer ${edition}`)
    }
    network.transport = undefined
    const report = replayer.wake('online')
    await time.pass(100)
    expect(await report).toMatchObject({ end: 'drained', waitingMs: undefined })
    expect(server.read('events', 1)).toMatchObject({ name: 'Mixer 250', edition: 251 })
    expect(network.requests.length).toBeLessThanOrEqual(3)
    expect(network.requests.every((request) => request.body.length < 250_000)).toBe(true)
  })

  it('blocks what a dead drainer was sending behind a refused change', async () => {
    const { store, wake, states } = phone({ autoWake: false })
    const problem = { code: 'conflict', message: 'Decided elsewhere.', requestId: 'r' } as const
    const refusal = { status: 409, at: '2026-11-20T10:00:00.000Z', problem }
    const refused = queuedEntry('refused', { state: 'parked', refusal })
    await add(store, [refused, queuedEntry('behind it', { state: 'sending' })])
    await wake('page-start')
    expect(await states()).toEqual(['parked', 'blocked'])
  })

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
    const { server, time, network, open, enqueueDeletion } = phone({ autoWake: false })
    network.transport = noNetwork
    await enqueueDeletion()
    const failing = open()
    const failed = failing.wake('page-start')
    await time.pass(10)
    expect(await failed).toMatchObject({ end: 'unreachable' })
    failing.stop()
    network.transport = undefined
    // The timer has no reason to believe in a network, so it keeps to the waiting time.
    if (reason === 'timer') await time.pass(30_000)
    const report = open().wake(reason)
    await time.pass(10)
    expect(await report).toMatchObject({ end: 'drained' })
    expect(server.effects).toHaveLength(1)
  })

  it('tries again by its own timer while anything waits, and stops when nothing does', async () => {
    const { server, time, network, enqueueDeletion } = phone()
    network.transport = noNetwork
    await enqueueDeletion()
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
    const { server, time, network, replayer, states, enqueueDeletion } = phone({ autoWake: false })
    const { key } = await enqueueDeletion()
    const foreign = [
      answerOf(200, ['{}']),
      answerOf(200, [`{"key":"${key}","status":20`], { type: 'application/x-ndjson' }),
      answerOf(200, ['{"key":"00000000-0000-4000-8000-999999999999","status":200}\n'], {
        type: 'application/x-ndjson',
      }),
      answerOf(200, [`{"key":"${key}","status":204}\n`], {
        type: 'application/x-ndjson',
        ours: false,
      }),
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

  it('gives a person the one change that a firewall refuses, under its key, and sends the others', async () => {
    const { server, time, outbox, network, direct, states, enqueueApproval, pending } = phone()
    network.transport = noNetwork
    const note = { applicationId: 7, eventId: 1, name: 'Bea Brook', note: 'Knows DROP TABLE jokes' }
    const { seq, key } = await outbox.enqueue(markApplication, note, olivia)
    await enqueueApproval(8)
    await enqueueApproval(9)
    const page = answerOf(403, ['<html>Blocked</html>'], { type: 'text/html', ours: false })
    network.transport = async (request) => (request.body.includes('DROP TABLE') ? page : await direct(request))
    await time.pass(120_000)
    expect(server.read('applications', 8)).toMatchObject({ status: 'approved' })
    expect(server.read('applications', 9)).toMatchObject({ status: 'approved' })
    const [stopped] = await pending()
    expect(stopped).toMatchObject({ key, state: 'parked', refusal: { status: 403 } })
    expect(stopped!.refusal!.problem.message).toContain('refuses this change')
    network.transport = direct
    await outbox.retry(seq)
    await time.pass(1_000)
    expect(
      (await pending()).map((entry) => entry.key),
      'sent under the same key',
    ).toContain(key)
    expect(await states()).not.toContain('parked')
  })

  it('gives nothing to a person where a portal refuses everything', async () => {
    const { time, network, states, enqueueApproval } = phone()
    network.transport = async () => answerOf(403, ['<html>Pay first</html>'], { type: 'text/html', ours: false })
    await enqueueApproval(8)
    await enqueueApproval(9)
    await time.pass(600_000)
    expect(await states()).toEqual(['queued', 'queued'])
  })

  it('applies each line as it arrives, though the rest never comes', async () => {
    const { server, time, network, direct, states, wake, enqueueEdit, enqueueDeletion } = phone({ autoWake: false })
    await enqueueEdit()
    await enqueueDeletion()
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
    await wake('online')
    expect(await states()).toEqual(['acknowledged', 'sending'])
    await time.pass(20_000)
    expect(await states()).toEqual(['acknowledged', 'queued'])
    expect(server.effects).toHaveLength(2)
  })

  it('waits longer for more, and sends half as much after silence, until that gets through', async () => {
    const { time, network, replayer, enqueueEdit, states } = phone({ autoWake: false })
    for (let edition = 1; edition <= 120; edition++) await enqueueEdit(`Mixer ${edition}`)
    network.transport = silentNetwork
    const silent = replayer.wake('online')
    await expect.poll(() => network.requests.length).toBe(1)
    const size = network.requests[0]?.body.length ?? 0
    await time.pass(20_000 + size - 1_000)
    expect(await states()).toContain('sending')
    await time.pass(2_000)
    expect(await silent).toMatchObject({ end: 'unreachable' })
    network.transport = undefined
    expect(await replayer.wake('online')).toMatchObject({ end: 'drained' })
    const [, half = 0, ...rest] = network.requests.map(({ body }) => body.length)
    expect(half / size).toBeCloseTo(0.5, 1)
    expect(rest).toHaveLength(1)
  })

  it('sends a picture last, and stops sending it while a decision is due', async () => {
    const { server, time, network, direct, replayer, outbox, enqueueApproval, states } = phone()
    const slowly: typeof network.transport = (request) =>
      new Promise((resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(new Error('aborted')))
        time.timers.after(request.body.length * 2, () => request.signal.aborted || resolve(direct(request)))
      })
    network.transport = slowly
    const picture = 'x'.repeat(150_000)
    await outbox.enqueue(setEventCover, { id: 1, name: 'Mixer', picture, type: 'image/webp' }, olivia)
    await time.pass(30_000)
    expect(network.requests).toHaveLength(1)
    await enqueueApproval(7)
    await time.pass(12_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
    expect(await states()).toEqual(['sending', 'acknowledged'])
    void replayer.wake('visible')
    await time.pass(310_000)
    expect(await states()).toEqual(['acknowledged', 'acknowledged'])
    expect(network.requests).toHaveLength(3)
  })
})

it('two drains of one queue happen when a page takes over, and the answer to the first counts', async () => {
  const { server, time, network, direct, open, states, enqueueDeletion } = phone({ autoWake: false })
  await enqueueDeletion()
  const answers: (() => void)[] = []
  network.transport = async (request) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return await direct(request)
  }
  void open().wake('page-start')
  await time.pass(10)
  void open().wake('asked')
  await time.pass(10)
  expect(network.requests.map(({ body }) => body)).toEqual([network.requests[0]?.body, network.requests[0]?.body])
  answers[0]?.()
  await time.pass(10)
  expect(await states()).toEqual(['acknowledged'])
  answers[1]?.()
  await time.pass(10)
  expect(server.effects).toHaveLength(1)
})

describe('the pages of a phone and its worker', () => {
  it('drain what a page left that died while it was sending, at once', async () => {
    const { server, time, network, open, openContext, enqueueDeletion } = phone({ autoWake: false })
    await enqueueDeletion()
    network.transport = () => new Promise(() => {})
    const dying = openContext()
    void dying.replayer.wake('page-start')
    void open().wake('page-start')
    await time.pass(100)
    network.transport = undefined
    dying.context.die()
    await time.pass(10)
    expect(server.effects).toHaveLength(1)
  })

  it('have the page that leads drain what another page has queued', async () => {
    const { server, time, replayer, open, enqueueDeletion } = phone({ autoWake: false })
    await replayer.wake('page-start')
    await enqueueDeletion()
    const report = open().wake('enqueue')
    await time.pass(100)
    expect(await report).toMatchObject({ end: 'not-leading' })
    expect(server.effects).toHaveLength(1)
  })

  it('are led by the worker while no page is open, and for no longer than it drains', async () => {
    const { server, time, replayer, open, enqueueDeletion } = phone({ autoWake: false })
    await enqueueDeletion()
    expect(await open('worker').wake('sync')).toMatchObject({ end: 'drained', waitingMs: undefined })
    expect(server.effects).toHaveLength(1)
    const opened = replayer.wake('page-start')
    await time.pass(0)
    expect(await opened).toMatchObject({ end: 'drained' })
  })
})

describe('an account', () => {
  it('goes on when the stream opens, which proves the session that an answer from before denies', async () => {
    const { server, time, network, states, wake, enqueueDeletion } = phone()
    network.session = null
    await enqueueDeletion()
    await time.pass(100)
    network.session = oliviaId
    await wake('online')
    expect(await states()).toEqual(['needsAuth'])
    await wake('stream-opened')
    expect(server.effects).toHaveLength(1)
  })

  it("is not needed for a visitor's application: its receipt is kept, whoever is signed in", async () => {
    const { server, time, outbox, network, store, states } = phone()
    await outbox.signedIn(ottoId)
    network.session = ottoId
    const entry = await outbox.enqueue(
      applyAsBeacon,
      { id: 100, eventId: 1, eventName: 'Founders Mixer', fields: beaFields },
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
