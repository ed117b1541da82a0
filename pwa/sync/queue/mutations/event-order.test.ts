import { stateOf } from '#shared/record/basis.ts'
import { describe, expect, it } from 'vitest'
import { stoppedCode, type Entry } from '../entry.ts'
import { entriesEndingWithEvent } from './event-order.ts'
import { decideApplication } from './decide-application.ts'
import { markApplication } from './mark-application.ts'
import { problem } from '../../testing/model-server.ts'
import { answerOf, linesType } from '../../testing/model-transport.ts'
import { approve, noNetwork, olivia, phone } from '../../testing/queue-phone.ts'

const routesOf = (server: { effects: readonly { route: string }[] }) => server.effects.map(({ route }) => route)

describe('an event that is deleted without a network', () => {
  it('goes after the decisions that were made on its applicants before', async () => {
    const { server, outbox, network, wake, enqueueApproval, enqueueDeletion, pending } = phone({ autoWake: false })
    network.transport = noNetwork
    await enqueueApproval(7)
    await outbox.enqueue(markApplication, { applicationId: 8, eventId: 1, name: 'Ben', starred: true }, olivia)
    await enqueueDeletion()
    network.transport = undefined
    await wake('online', 20_000)
    expect(routesOf(server)).toEqual(['markApplication', 'decideApplication', 'deleteEvent'])
    expect((await pending()).filter(({ state }) => state !== 'acknowledged')).toEqual([])
  })

  it('waits while one of them is to be tried again', async () => {
    const { server, time, outbox, network, direct, states, wake, enqueueDeletion } = phone({ autoWake: false })
    await outbox.enqueue(markApplication, { applicationId: 8, eventId: 1, name: 'Ben', starred: true }, olivia)
    await enqueueDeletion()
    let isIll = true
    network.transport = (request) => {
      const { entries } = JSON.parse(request.body) as { entries: { key: string }[] }
      const lines = entries.map(({ key }) => `${JSON.stringify({ key, status: 503, body: problem('unavailable') })}\n`)
      return isIll ? Promise.resolve(answerOf(200, lines, { type: linesType })) : direct(request)
    }
    await wake('online', 500)
    expect(await states()).toEqual(['queued', 'queued'])
    isIll = false
    await time.pass(10_000)
    expect(routesOf(server)).toEqual(['markApplication', 'deleteEvent'])
  })

  it('does not wait for what the server refused, which falls with it', async () => {
    const { server, outbox, states, wake, enqueueApproval, enqueueDeletion, pending } = phone({ autoWake: false })
    await enqueueApproval(7, stateOf('other'))
    await outbox.enqueue(decideApplication, { ...approve(7, stateOf('other')), status: 'rejected' }, olivia)
    await wake('online', 20_000)
    expect(await states()).toEqual(['parked', 'blocked'])
    expect(entriesEndingWithEvent(await pending(), 1)).toHaveLength(2)
    await enqueueDeletion()
    await wake('online', 20_000)
    expect(routesOf(server)).toEqual(['deleteEvent'])
    expect(await states()).toEqual(['acknowledged'])
  })

  it('asks about what falls with it where a lost answer may have said that it happened', async () => {
    const { server, store, network, direct, states, outbox, wake, enqueueApproval, enqueueDeletion } = phone({
      autoWake: false,
    })
    network.transport = (request) => direct(request).then(() => noNetwork(request))
    const { seq } = await enqueueApproval(7)
    await outbox.enqueue(decideApplication, { ...approve(7), status: 'rejected', from: 'approved' }, olivia)
    await wake('online', 9_000)
    const refusal = { status: 403, problem: { ...problem('forbidden'), code: stoppedCode }, at: '2026-11-20T10:00:00Z' }
    await store.change('all', ({ entries }) => ({
      put: entries.map((entry): Entry => {
        return entry.seq === seq ? { ...entry, state: 'parked', refusal } : { ...entry, state: 'blocked' }
      }),
      result: undefined,
    }))
    network.transport = undefined
    await enqueueDeletion()
    await wake('online', 20_000)
    expect(routesOf(server)).toEqual(['decideApplication', 'decideApplication', 'deleteEvent'])
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
  })

  it('leaves what belongs to another event, or to somebody else, alone', async () => {
    const { server, outbox, wake, enqueueDeletion, pending } = phone({ autoWake: false })
    server.write('applications', 70, { eventId: 2, status: 'pending', basis: null, decisionNumber: 0 })
    await outbox.enqueue(decideApplication, { ...approve(70, stateOf('other')), eventId: 2 }, olivia)
    await wake('online', 20_000)
    await enqueueDeletion()
    await wake('online', 20_000)
    expect((await pending()).map(({ state }) => state)).toEqual(['parked', 'acknowledged'])
  })
})
