import { expect, it } from 'vitest'
import { noNetwork, phone } from '../testing/queue-phone.ts'

it('discarded changes that may be on their way are forbidden in one request, after everything that can be sent', async () => {
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
