import { expect, it } from 'vitest'
import { serverEpoch } from '../http/reachability.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { beaFields } from '../testing/people.ts'
import { followServerEpoch } from './start-queue.ts'

it('a volunteer’s application is offered again once an answer names another epoch', async () => {
  const args = { id: 410100000002, eventId: 12, eventName: 'Mixer', fields: beaFields }
  const sent = { seq: 1, key: 'a', mutation: 'apply-as-beacon', args, argsVersion: 1, answer: { token: 't' } }
  const at = new Date().toISOString()
  await outboxStore.change('all', () => ({ receipts: [{ ...sent, at, epoch: 'first' }], result: undefined }))
  const offered = async () => (await outboxStore.entriesOf(null)).map(({ key, again }) => [key, again])

  serverEpoch.set('first')
  followServerEpoch()
  serverEpoch.set('first')
  // The queue is asked in its order: what the epoch asks for would have been done before this answer.
  expect(await offered()).toEqual([])
  serverEpoch.set('second')
  await expect.poll(offered).toEqual([['a', 'taken']])
})
