import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { decideApplication } from './mutations/decide-application.ts'
import { directTransport } from './testing/model-transport.ts'
import { oliviaId, ottoId } from './testing/people.ts'
import { approve, olivia, phone } from './testing/queue-phone.ts'

describe('the queue as a file', () => {
  it('moves to another phone, where sending it again changes nothing', async () => {
    const { server, time, outbox, states } = phone()
    await outbox.enqueue(decideApplication, approve(7), olivia)
    const file = await outbox.exportQueue(oliviaId)
    await time.pass(9000)
    const other = phone({ autoWake: false })
    expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 1, skipped: 0 })
    expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 0, skipped: 1 })
    other.network.transport = directTransport(server, () => oliviaId)
    void other.replayer.wake('online')
    await other.time.pass(100)
    expect(await other.states()).toEqual(['acknowledged'])
    expect(await states()).toEqual(['acknowledged'])
    expect(server.effects).toHaveLength(1)
    await expect(other.outbox.importQueue(file, { userId: ottoId })).rejects.toThrow('another account')
    await expect(other.outbox.importQueue('{}', olivia)).rejects.toThrow('not a file of saved changes')
  })
})
