import { describe, expect, it } from 'vitest'
import { noNetwork, phone } from '../testing/queue-phone.ts'
import type { TransportRequest } from './transport.ts'

describe('discarding a change that may be on its way', () => {
  it('forbids it on the server, where it never happens however late it arrives', async () => {
    const { server, outbox, network, direct, states, wake, enqueueDeletion } = phone({ autoWake: false })
    const entry = await enqueueDeletion()
    let late: TransportRequest | undefined
    network.transport = async (request) => {
      if (request.url.includes('cancellations')) return await direct(request)
      late = request
      throw new TypeError('Failed to fetch')
    }
    await wake('online', 10)
    expect(await outbox.discard(entry.seq)).toBe('cancelled')
    expect(await states()).toEqual([])
    await direct({ ...late!, signal: new AbortController().signal })
    expect(server.effects).toEqual([])
  })

  it('says honestly that it had already happened, and fetches the answer', async () => {
    const { outbox, network, direct, states, wake, enqueueDeletion } = phone({ autoWake: false })
    const entry = await enqueueDeletion()
    network.transport = async (request) => {
      await direct(request)
      throw new TypeError('Failed to fetch')
    }
    await wake('online', 10)
    network.transport = undefined
    expect(await outbox.discard(entry.seq)).toBe('already-happened')
    await wake('enqueue', 10)
    expect(await states()).toEqual(['acknowledged'])
  })

  it('asks for all of them in one request, after everything that can be sent', async () => {
    const { server, time, outbox, network, states, wake, enqueueApproval } = phone({ autoWake: false })
    const [kept, ...given] = await Promise.all([7, 8, 9].map((id) => enqueueApproval(id)))
    network.transport = noNetwork
    await time.pass(10_000)
    await wake('online', 10)
    for (const { seq } of given) expect(await outbox.discard(seq)).toBe('unknown')
    network.requests.length = 0
    network.transport = undefined
    await wake('online', 10)
    expect(network.requests.map(({ url }) => url)).toEqual(['/api/sync/mutations', '/api/sync/cancellations/batch'])
    expect(await states()).toEqual(['acknowledged'])
    expect(server.effects.map(({ key }) => key)).toEqual([kept!.key])
  })
})
