import { describe, expect, it } from 'vitest'
import { decideApplication } from './decide-application.ts'
import { problem } from '../../testing/model-server.ts'
import { answerOf } from '../../testing/model-transport.ts'
import { approve, olivia, phone } from '../../testing/queue-phone.ts'

it('a change that never left is put back after it was discarded, and leaves', async () => {
  const { server, time, outbox, states, enqueueApproval, pending } = phone()
  await enqueueApproval(7)
  const [held] = await pending()
  expect(await outbox.discard(held!.seq)).toBe('discarded')
  await outbox.putBack(held!)
  await time.pass(9000)
  expect([await states(), server.effects.length]).toEqual([['acknowledged'], 1])
})

describe('a refusal', () => {
  it('is put back behind a change that went out meanwhile, and stops nothing', async () => {
    const { time, outbox, states, enqueueApproval, pending, decideElsewhere } = phone()
    decideElsewhere()
    await enqueueApproval(7)
    await outbox.enqueue(decideApplication, { ...approve(7), status: 'rejected', from: 'approved' }, olivia)
    await time.pass(9000)
    expect(await states()).toEqual(['parked', 'blocked'])
    const [parked] = await pending()
    await outbox.discard(parked!.seq)
    await time.pass(100)
    await outbox.putBack(parked!)
    await outbox.putBack(parked!)
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged', 'parked'])
    const [, last] = await pending()
    expect(last).toEqual({ ...parked, seq: last?.seq })
  })

  it('of a whole request falls on the one change it means', async () => {
    const { server, time, network, direct, states, wake, enqueueApproval } = phone({ autoWake: false })
    network.transport = async (request) =>
      request.body.includes('"beaconId":8')
        ? answerOf(413, [JSON.stringify(problem('too_large'))])
        : await direct(request)
    for (const id of [7, 8, 9]) await enqueueApproval(id)
    await time.pass(8100)
    await wake('online')
    expect(await states()).toEqual(['acknowledged', 'parked', 'acknowledged'])
    expect(server.effects).toHaveLength(2)
  })
})
