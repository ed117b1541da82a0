import { describe, expect, it } from 'vitest'
import { stoppedCode, type Entry } from '../entry.ts'
import { decideApplication } from './decide-application.ts'
import { addWalkIn } from './add-walk-in.ts'
import { createEvent } from './create-event.ts'
import { createEventOrder } from './event-order.ts'
import type { Mutation } from './mutation.ts'
import { queuedEntry } from '../../testing/queued-entry.ts'
import { eventFields } from '../../testing/people.ts'
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

describe('a change of what was made on this device', () => {
  const now = '2026-11-20T18:00:00.000Z'
  const newEvent = { id: 1, organizerId: 1, fields: eventFields, timeZone: 'UTC', createdAt: now }
  const walkIn = { id: 77, eventId: 1, firstName: 'Wanda', lastName: 'Walker', company: null, email: '', seenAt: now }
  const note = { applicationId: 77, eventId: 1, name: 'Wanda', note: 'Speaks Spanish', noteOver: null }

  it.each([
    ['a note on a walk-in in its undo window', [addWalkIn, walkIn, 'held'], [markApplication, note], true],
    ['a note on a refused walk-in', [addWalkIn, walkIn, 'parked'], [markApplication, note], true],
    ['a note on a walk-in that the server has', [addWalkIn, walkIn, 'acknowledged'], [markApplication, note], false],
    ['a walk-in at a new event', [createEvent, newEvent, 'queued'], [addWalkIn, walkIn], true],
    ['a note on somebody else', [addWalkIn, walkIn, 'held'], [markApplication, { ...note, applicationId: 8 }], false],
  ] as const)('waits for its creation: %s', (_, [creation, created, state], [change, args], waits) => {
    const order = createEventOrder()
    const ask = (mutation: Mutation<never>, given: unknown, entryState: Entry['state']) => {
      const lane = mutation.lane(given as never)
      const { name, argsVersion } = mutation
      const entry: Entry = {
        seq: 1,
        ...queuedEntry(name, { mutation: name, args: given, argsVersion, lane, state: entryState }),
      }
      return order.mustWait(entry, { mutation, args: given } as never)
    }
    expect(ask(creation as never, created, state)).toBe(false)
    expect(ask(change as never, args, 'queued')).toBe(waits)
  })
})
