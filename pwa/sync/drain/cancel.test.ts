import { expect, it } from 'vitest'
import { updateEvent } from '../queue/mutations/edit-event.ts'
import { eventFields } from '../testing/people.ts'
import { noNetwork, phone } from '../testing/queue-phone.ts'

it('discarded changes that may be on their way are forbidden in one request, after all others', async () => {
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

it('a change that another phone was shown is not corrected, and discarding it forbids its key', async () => {
  const { outbox, network, server, enqueueEdit } = phone({ autoWake: false })
  const edit = await enqueueEdit('Book Night')
  expect(await outbox.passOn(edit.seq)).toMatchObject({ key: edit.key, state: 'queued' })
  const corrected = { id: 1, fields: { ...eventFields, name: 'Reading Night' }, basis: null }
  expect(await outbox.editAndResend(edit.seq, updateEvent, corrected)).toBe('too-late')
  expect(await outbox.undo(edit.seq)).toBe('too-late')
  expect(await outbox.discard(edit.seq)).toBe('cancelled')
  expect(network.requests.map(({ url }) => url)).toEqual(['/api/sync/cancellations'])
  expect(server.effects).toEqual([])
  expect(await outbox.passOn(edit.seq)).toBeUndefined()
})
