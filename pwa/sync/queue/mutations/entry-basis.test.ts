import { describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import { noNetwork, olivia, approve, phone } from '../../testing/queue-phone.ts'
import { eventFields, oliviaId } from '../../testing/people.ts'
import { decideApplication } from './decide-application.ts'
import { deleteEvent } from './delete-event.ts'
import { updateEvent } from './edit-event.ts'
import { basisOf } from './entry-basis.ts'

const reject = (basis: string | null = null) => ({ ...approve(7, basis), status: 'rejected' as const })
const offline = () => {
  const rig = phone({ autoWake: false })
  rig.network.transport = noNetwork
  const bases = async () => (await rig.outbox.pendingFor(oliviaId)).map((entry) => basisOf(entry))
  return { ...rig, bases }
}

describe('what a change is made on', () => {
  it('is the latest change of its lane, also for two taps faster than the screen', async () => {
    const { outbox, bases } = offline()
    const first = await outbox.enqueue(decideApplication, approve(7), olivia)
    const second = await outbox.enqueue(decideApplication, reject(), olivia)
    await outbox.enqueue(decideApplication, approve(7, first.key), olivia)
    expect(await bases()).toEqual([null, first.key, second.key])
  })

  it('is what the server has said since, where the screen showed that', async () => {
    const { outbox, bases } = offline()
    await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(decideApplication, approve(7, stateOf('theirs')), olivia)
    expect(await bases()).toEqual([null, stateOf('theirs')])
  })

  it('passes on when that is taken back', async () => {
    const { outbox, bases } = offline()
    const first = await outbox.enqueue(decideApplication, approve(7, stateOf('theirs')), olivia)
    await outbox.enqueue(decideApplication, reject(first.key), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    expect(await bases()).toEqual([stateOf('theirs')])
  })

  it('passes on also where it was read from a document before a restore, and is taken back after it', async () => {
    const { outbox, bases } = offline()
    const first = await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(decideApplication, reject(stateOf(first.key)), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    expect(await bases()).toEqual([null])
  })

  it('gets the new key of one that is retried', async () => {
    const { outbox, server, network, replayer, time } = offline()
    network.transport = undefined
    server.write('applications', 7, { eventId: 1, status: 'rejected', basis: stateOf('theirs'), decisionNumber: 1 })
    const first = await outbox.enqueue(decideApplication, approve(7), olivia)
    await outbox.enqueue(decideApplication, reject(first.key), olivia)
    void replayer.wake('online')
    await time.pass(9_000)
    network.transport = noNetwork
    await outbox.retry(first.seq)
    const [retried, follower] = await outbox.pendingFor(oliviaId)
    expect(retried!.key).not.toBe(first.key)
    expect([basisOf(retried!), basisOf(follower!)]).toEqual([stateOf('theirs'), retried!.key])
  })
})

it('a deletion takes no edit along that its maker has not seen', async () => {
  const { server, outbox, replayer, time, states } = phone({ autoWake: false })
  server.write('events', 1, { ...eventFields, name: 'Theirs', basis: stateOf('theirs'), edition: 2 })
  await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
  void replayer.wake('online')
  await time.pass(1_000)
  expect(await states()).toEqual(['parked'])
  expect(server.read('events', 1)).toMatchObject({ name: 'Theirs' })
  const [parked] = await outbox.pendingFor(oliviaId)
  await outbox.retry(parked!.seq)
  void replayer.wake('enqueue')
  await time.pass(1_000)
  expect(server.read('events', 1), 'seen and meant').toBeUndefined()
})

it('an edit made on one that changed nothing is made on what that found', async () => {
  const { server, outbox, replayer, time, states } = phone({ autoWake: false })
  const same = await outbox.enqueue(updateEvent, { id: 1, fields: eventFields, basis: null }, olivia)
  await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'Two' }, basis: same.key }, olivia)
  void replayer.wake('online')
  await time.pass(1_000)
  expect(await states()).toEqual(['acknowledged', 'acknowledged'])
  expect(server.read('events', 1)).toMatchObject({ name: 'Two', edition: 2 })
})
