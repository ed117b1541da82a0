import { describe, expect, it } from 'vitest'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { approve, noNetwork, olivia, phone } from '../testing/queue-phone.ts'
import type { TransportRequest } from './transport.ts'

describe('discarding a change that may be on its way', () => {
  it('forbids it on the server, where it never happens however late it arrives', async () => {
    const { server, time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
    let late: TransportRequest | undefined
    network.transport = async (request) => {
      if (request.url.includes('cancellations')) return await direct(request)
      late = request
      throw new TypeError('Failed to fetch')
    }
    void replayer.wake('online')
    await time.pass(10)
    expect(await outbox.discard(entry.seq)).toBe('cancelled')
    expect(await states()).toEqual([])
    await direct({ ...late!, signal: new AbortController().signal })
    expect(server.effects).toEqual([])
  })

  it('says honestly that it had already happened, and fetches the answer', async () => {
    const { time, outbox, network, direct, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
    network.transport = async (request) => {
      await direct(request)
      throw new TypeError('Failed to fetch')
    }
    void replayer.wake('online')
    await time.pass(10)
    network.transport = undefined
    expect(await outbox.discard(entry.seq)).toBe('already-happened')
    void replayer.wake('enqueue')
    await time.pass(10)
    expect(await states()).toEqual(['acknowledged'])
  })

  it('is settled later when the server cannot be asked', async () => {
    const { server, time, outbox, network, replayer, states } = phone({ autoWake: false })
    const entry = await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
    network.transport = noNetwork
    void replayer.wake('online')
    await time.pass(10)
    expect(await outbox.discard(entry.seq)).toBe('unknown')
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(10)
    expect(await states()).toEqual([])
    expect(server.effects).toEqual([])
    expect(network.requests.filter(({ url }) => url.includes('mutations'))).toHaveLength(1)
  })

  it('asks for all of them in one request, after everything that can be sent', async () => {
    const { server, time, outbox, network, replayer, states } = phone({ autoWake: false })
    const [kept, ...given] = await Promise.all(
      [7, 8, 9].map((id) => outbox.enqueue(decideApplication, approve(id), olivia)),
    )
    network.transport = noNetwork
    await time.pass(10_000)
    void replayer.wake('online')
    await time.pass(10)
    for (const { seq } of given) expect(await outbox.discard(seq)).toBe('unknown')
    network.requests.length = 0
    network.transport = undefined
    void replayer.wake('online')
    await time.pass(10)
    expect(network.requests.map(({ url }) => url)).toEqual(['/api/sync/mutations', '/api/sync/cancellations/batch'])
    expect(await states()).toEqual(['acknowledged'])
    expect(server.effects.map(({ key }) => key)).toEqual([kept!.key])
  })
})
