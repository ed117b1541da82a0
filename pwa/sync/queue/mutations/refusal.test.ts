import { describe, expect, it } from 'vitest'
import { decideApplication } from './decide-application.ts'
import { problem } from '../../testing/model-server.ts'
import { answerOf } from '../../testing/model-transport.ts'
import { approve, olivia, phone } from '../../testing/queue-phone.ts'

describe('a refusal', () => {
  it('parks its change with the reason, stops its own lane only, and goes on after a retry under a new key', async () => {
    const { server, time, outbox, states, enqueueApproval, pending, decideElsewhere } = phone()
    decideElsewhere()
    await enqueueApproval(7)
    await outbox.enqueue(decideApplication, { ...approve(7), status: 'rejected', from: 'approved' }, olivia)
    await enqueueApproval(8)
    await time.pass(9000)
    expect(await states()).toEqual(['parked', 'blocked', 'acknowledged'])
    const [refused] = await pending()
    expect(refused?.refusal).toMatchObject({ status: 409, problem: { code: 'conflict' } })
    expect(await outbox.retry(refused!.seq)).toBe('retried')
    await time.pass(100)
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(server.read('applications', 7)).toMatchObject({ status: 'rejected', decisionNumber: 3 })
    expect((await pending())[0]?.key).not.toBe(refused?.key)
  })

  it('keeps edits and decisions with their content when the event was deleted on another device', async () => {
    const { server, time, states, enqueueApproval, enqueueEdit, pending } = phone()
    server.write('applications', 7, null)
    server.write('events', 1, null)
    await enqueueEdit('Typed on the train')
    await enqueueApproval(7)
    await time.pass(9000)
    expect(await states()).toEqual(['parked', 'parked'])
    expect((await pending())[0]?.args).toMatchObject({ fields: { name: 'Typed on the train' } })
  })

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
