import { describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import { noNetwork, olivia, approve, phone } from '../../testing/queue-phone.ts'
import { eventFields } from '../../testing/people.ts'
import { decideApplication } from './decide-application.ts'
import { basisOf } from './entry-basis.ts'

const reject = (basis: string | null = null) => ({ ...approve(7, basis), status: 'rejected' as const })
const offline = () => {
  const rig = phone({ autoWake: false })
  rig.network.transport = noNetwork
  const bases = async () => (await rig.pending()).map((entry) => basisOf(entry))
  return { ...rig, bases }
}

describe('what a change is made on', () => {
  it('is the latest change of its lane, also for two taps faster than the screen', async () => {
    const { outbox, bases, enqueueApproval } = offline()
    const first = await enqueueApproval(7)
    const second = await outbox.enqueue(decideApplication, reject(), olivia)
    await enqueueApproval(7, first.key)
    expect(await bases()).toEqual([null, first.key, second.key])
  })

  it('is what the server has said since, where the screen showed that', async () => {
    const { bases, enqueueApproval } = offline()
    await enqueueApproval(7)
    await enqueueApproval(7, stateOf('theirs'))
    expect(await bases()).toEqual([null, stateOf('theirs')])
  })

  it('passes on when that is taken back', async () => {
    const { outbox, bases, enqueueApproval } = offline()
    const first = await enqueueApproval(7, stateOf('theirs'))
    await outbox.enqueue(decideApplication, reject(first.key), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    expect(await bases()).toEqual([stateOf('theirs')])
  })

  it('passes on also where it was read from a document before a restore, and is taken back after it', async () => {
    const { outbox, bases, enqueueApproval } = offline()
    const first = await enqueueApproval(7)
    await outbox.enqueue(decideApplication, reject(stateOf(first.key)), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    expect(await bases()).toEqual([null])
  })

  it('gets the new key of one that is retried', async () => {
    const { outbox, network, wake, enqueueApproval, pending, decideElsewhere } = offline()
    network.transport = undefined
    decideElsewhere()
    const first = await enqueueApproval(7)
    await outbox.enqueue(decideApplication, reject(first.key), olivia)
    await wake('online', 9_000)
    network.transport = noNetwork
    await outbox.retry(first.seq)
    const [retried, follower] = await pending()
    expect(retried!.key).not.toBe(first.key)
    expect([basisOf(retried!), basisOf(follower!)]).toEqual([stateOf('theirs'), retried!.key])
  })
})

it('a deletion takes no edit along that its maker has not seen', async () => {
  const { server, outbox, states, wake, enqueueDeletion, pending } = phone({ autoWake: false })
  server.write('events', 1, { ...eventFields, name: 'Theirs', basis: stateOf('theirs'), edition: 2 })
  await enqueueDeletion()
  await wake('online', 1_000)
  expect(await states()).toEqual(['parked'])
  expect(server.read('events', 1)).toMatchObject({ name: 'Theirs' })
  const [parked] = await pending()
  await outbox.retry(parked!.seq)
  await wake('enqueue', 1_000)
  expect(server.read('events', 1), 'seen and meant').toBeUndefined()
})

it('an edit made on one that changed nothing is made on what that found', async () => {
  const { server, states, wake, enqueueEdit } = phone({ autoWake: false })
  const same = await enqueueEdit()
  await enqueueEdit('Two', same.key)
  await wake('online', 1_000)
  expect(await states()).toEqual(['acknowledged', 'acknowledged'])
  expect(server.read('events', 1)).toMatchObject({ name: 'Two', edition: 2 })
})
