import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { decideApplication } from './decide-application.ts'
import { updateEvent } from './edit-event.ts'
import { problem, type ModelServer } from '../testing/model-server.ts'
import { answerOf, directTransport } from '../testing/model-transport.ts'
import { eventFields, oliviaId } from '../testing/people.ts'
import { approve, olivia, phone } from '../testing/queue-phone.ts'
import type { Entry } from '../entry.ts'

const reject = (applicationId: number, expectedDecisionNumber: number) =>
  ({ ...approve(applicationId, expectedDecisionNumber), status: 'rejected', from: 'approved' }) as const

/** Bea's application as an organizer's other device or a colleague leaves it. */
const decidedElsewhere = (server: ModelServer, status: string, decisionNumber: number) =>
  server.write('applications', 7, { eventId: 1, status, decisionNumber })

/** Bea is approved; Olivia rejects, approves and rejects her, and takes the first of the three back. */
async function afterAnUndo() {
  const here = phone()
  decidedElsewhere(here.server, 'approved', 1)
  const first = await here.outbox.enqueue(decideApplication, reject(7, 1), olivia)
  await here.outbox.enqueue(decideApplication, approve(7, 2), olivia)
  await here.outbox.enqueue(decideApplication, reject(7, 3), olivia)
  expect(await here.outbox.undo(first.seq)).toBe('undone')
  return here
}

const numbersOf = (entries: readonly Entry[]) =>
  entries.map(({ args }) => (args as { expectedDecisionNumber: number }).expectedDecisionNumber)

describe('a decision behind one that changed nothing', () => {
  it('goes through, also when both travel together', async () => {
    const { server, time, states } = await afterAnUndo()
    await time.pass(9000)
    expect(await states()).toEqual(['acknowledged', 'acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'rejected', decisionNumber: 2 })
  })

  it('goes through when it was never under way before the answer came', async () => {
    const { server, time, outbox, states } = phone()
    decidedElsewhere(server, 'approved', 1)
    const first = await outbox.enqueue(decideApplication, reject(7, 1), olivia)
    await outbox.enqueue(decideApplication, approve(7, 2), olivia)
    await outbox.undo(first.seq)
    await time.pass(7000)
    await outbox.enqueue(decideApplication, reject(7, 2), olivia)
    const before = await outbox.pendingFor(oliviaId)
    await time.pass(2000)
    expect(await states()).toEqual(['acknowledged', 'held'])
    const behind = (await outbox.pendingFor(oliviaId))[1]
    expect(behind).toEqual(before[1])
    expect(behind?.after).toBe(before[0]?.key)
    await time.pass(8000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'rejected', decisionNumber: 2 })
  })

  it('made after the answer counts on what that said', async () => {
    const { server, time, outbox } = phone()
    decidedElsewhere(server, 'approved', 1)
    await outbox.enqueue(decideApplication, approve(7, 1), olivia)
    await time.pass(9000)
    const next = await outbox.enqueue(decideApplication, reject(7, 1), olivia)
    expect(numbersOf([next])).toEqual([1])
  })

  it('is a conflict all the same when somebody else decided after the one that changed nothing', async () => {
    const { server, time, outbox, states } = phone()
    decidedElsewhere(server, 'approved', 1)
    const first = await outbox.enqueue(decideApplication, reject(7, 1), olivia)
    await outbox.enqueue(decideApplication, approve(7, 2), olivia)
    await outbox.undo(first.seq)
    await time.pass(7000)
    await outbox.enqueue(decideApplication, reject(7, 2), olivia)
    await time.pass(2000)
    expect(await states()).toEqual(['acknowledged', 'held'])
    // A colleague rejects and approves her again while the second decision can still be undone.
    decidedElsewhere(server, 'approved', 3)
    await time.pass(8000)
    expect(await states()).toEqual(['acknowledged', 'parked'])
    expect((await outbox.pendingFor(oliviaId))[1]?.refusal?.problem.code).toBe('conflict')
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 3 })
  })

  it('is a conflict when somebody else decided before, as often as the count was too high or oftener', async () => {
    for (const decisionNumber of [3, 5]) {
      const { server, time, states } = await afterAnUndo()
      decidedElsewhere(server, 'approved', decisionNumber)
      await time.pass(9000)
      expect(await states()).toEqual(['acknowledged', 'parked'])
      expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber })
    }
  })
})

describe('an edit whose count turned out too high while its answer was missing', () => {
  /** An edit that changes nothing, and one behind it for which the server had no time the first time. */
  async function withMissingAnswer(onFirst: (server: ModelServer) => void) {
    const here = phone({ autoWake: false })
    const { server, network, outbox, time, replayer } = here
    await outbox.enqueue(updateEvent, { id: 1, fields: eventFields, expectedEdition: 1 }, olivia)
    const { key } = await outbox.enqueue(
      updateEvent,
      { id: 1, fields: { ...eventFields, name: 'Mixer on the pier' }, expectedEdition: 2 },
      olivia,
    )
    const sent: string[] = []
    network.transport = async (request) => {
      network.transport = undefined
      const { entries } = JSON.parse(request.body) as { entries: { key: string }[] }
      const first = await directTransport(
        server,
        () => oliviaId,
      )({
        ...request,
        body: JSON.stringify({ account: oliviaId, entries: entries.slice(0, 1) }),
      })
      let line = ''
      for await (const piece of first.body) line += piece
      onFirst(server)
      sent.push(...entries.map((entry) => entry.key))
      const illness = JSON.stringify({ key, status: 503, body: problem('unavailable') })
      return answerOf(200, [`${line}${illness}\n`], { type: 'application/x-ndjson' })
    }
    void replayer.wake('online')
    await time.pass(100)
    void replayer.wake('online')
    await time.pass(100)
    return { ...here, key, sent }
  }

  it('goes out once more as it is, for it names the change before it', async () => {
    const { server, states, network, outbox, key } = await withMissingAnswer(() => {})
    expect(await states()).toEqual(['acknowledged', 'acknowledged'])
    expect(server.read('events', 1)).toMatchObject({ name: 'Mixer on the pier', edition: 2 })
    expect(network.requests.map(({ url }) => url.split('/').at(-1))).toEqual(['mutations', 'mutations'])
    expect((await outbox.pendingFor(oliviaId))[1]?.key).toBe(key)
  })

  it("does not overwrite somebody else's edit that made the wrong count look right", async () => {
    const { server, states } = await withMissingAnswer((server) =>
      server.write('events', 1, { ...eventFields, name: 'By a colleague', edition: 2 }),
    )
    expect(await states()).toEqual(['acknowledged', 'parked'])
    expect(server.read('events', 1)).toMatchObject({ name: 'By a colleague', edition: 2 })
  })
})

describe('a server of the version before', () => {
  it('refuses what names another change, and then hears of each alone, by the count it expects', async () => {
    const { server, time, network, direct, outbox, states } = phone()
    network.transport = async (request) => {
      if (!request.body.includes('"after"')) return await direct(request)
      return answerOf(400, [JSON.stringify(problem('invalid_input'))])
    }
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(decideApplication, reject(7, 1), olivia)
    await time.pass(9000)
    expect(await states()).toEqual(['acknowledged', 'acknowledged'])
    await outbox.enqueue(decideApplication, approve(7, 2), olivia)
    await time.pass(9000)
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 3 })
  })
})
