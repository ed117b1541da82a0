import { stateOf } from '#shared/record/basis.ts'
import { describe, expect, it } from 'vitest'
import { entriesEndingWithEvent } from './event-order.ts'
import { decideApplication } from './decide-application.ts'
import { deleteEvent } from './delete-event.ts'
import { markApplication } from './mark-application.ts'
import { problem } from '../../testing/model-server.ts'
import { answerOf, linesType } from '../../testing/model-transport.ts'
import { oliviaId } from '../../testing/people.ts'
import { approve, noNetwork, olivia, phone } from '../../testing/queue-phone.ts'

const deletion = { id: 1, name: 'Founders Mixer', basis: null }
const routesOf = (server: { effects: readonly { route: string }[] }) => server.effects.map(({ route }) => route)

describe('an event that is deleted without a network', () => {
  it('goes after the decisions that were made on its applicants before', async () => {
    const { server, time, outbox, network, replayer } = phone({ autoWake: false })
    network.transport = noNetwork
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(markApplication, { applicationId: 8, eventId: 1, name: 'Ben', starred: true }, olivia)
    await outbox.enqueue(deleteEvent, deletion, olivia)
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(20_000)
    expect(routesOf(server)).toEqual(['markApplication', 'decideApplication', 'deleteEvent'])
    expect((await outbox.pendingFor(oliviaId)).filter(({ state }) => state !== 'acknowledged')).toEqual([])
  })

  it('waits while one of them is to be tried again', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    await outbox.enqueue(markApplication, { applicationId: 8, eventId: 1, name: 'Ben', starred: true }, olivia)
    await outbox.enqueue(deleteEvent, deletion, olivia)
    let isIll = true
    network.transport = (request) => {
      const { entries } = JSON.parse(request.body) as { entries: { key: string }[] }
      const lines = entries.map(({ key }) => `${JSON.stringify({ key, status: 503, body: problem('unavailable') })}\n`)
      return isIll ? Promise.resolve(answerOf(200, lines, { type: linesType })) : direct(request)
    }
    void replayer.wake('online')
    await time.pass(500)
    expect(await states()).toEqual(['queued', 'queued'])
    isIll = false
    await time.pass(10_000)
    expect(routesOf(server)).toEqual(['markApplication', 'deleteEvent'])
  })

  it('does not wait for what the server refused, which falls with it', async () => {
    const { server, time, outbox, replayer, states } = phone({ autoWake: false })
    await outbox.enqueue(decideApplication, approve(7, stateOf('other')), olivia)
    await outbox.enqueue(decideApplication, { ...approve(7, stateOf('other')), status: 'rejected' }, olivia)
    void replayer.wake('online')
    await time.pass(20_000)
    expect(await states()).toEqual(['parked', 'blocked'])
    expect(entriesEndingWithEvent(await outbox.pendingFor(oliviaId), 1)).toHaveLength(2)
    await outbox.enqueue(deleteEvent, deletion, olivia)
    void replayer.wake('online')
    await time.pass(20_000)
    expect(routesOf(server)).toEqual(['deleteEvent'])
    expect(await states()).toEqual(['acknowledged'])
  })

  it('leaves what belongs to another event, or to somebody else, alone', async () => {
    const { server, time, outbox, replayer } = phone({ autoWake: false })
    server.write('applications', 70, { eventId: 2, status: 'pending', basis: null, decisionNumber: 0 })
    await outbox.enqueue(decideApplication, { ...approve(70, stateOf('other')), eventId: 2 }, olivia)
    void replayer.wake('online')
    await time.pass(20_000)
    await outbox.enqueue(deleteEvent, deletion, olivia)
    void replayer.wake('online')
    await time.pass(20_000)
    expect((await outbox.pendingFor(oliviaId)).map(({ state }) => state)).toEqual(['parked', 'acknowledged'])
  })
})
