import { describe, expect, it } from 'vitest'
import { stoppedCode, type Entry } from '../entry.ts'
import { decideApplication } from './decide-application.ts'
import { markApplication } from './mark-application.ts'
import { problem } from '../../testing/model-server.ts'
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
})
