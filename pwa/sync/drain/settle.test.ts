import { expect, it } from 'vitest'
import { acknowledgedAmong } from './settle.ts'
import { oliviaId } from '../testing/people.ts'
import { phone } from '../testing/queue-phone.ts'

it('a restored server gets an acknowledged change again that it no longer knows', async () => {
  const { server, time, network, store, states, enqueueEdit, pending, settleAt } = phone()
  await enqueueEdit('New')
  await time.pass(100)
  const seqs = acknowledgedAmong(await store.entriesOf(oliviaId), oliviaId)
  const view = { appliedVersion: server.version - 3, versionOf: () => 1 }
  await settleAt(view)
  expect(await states()).toEqual(['acknowledged'])
  await settleAt({ ...view, pulledSince: seqs }, 7)
  // So no applicant is told a second time, and another device has its time to bring what this one is about.
  expect(await pending()).toMatchObject([{ again: { since: 7 } }])
  await time.pass(100)
  expect(network.requests.map(({ url }) => url)).toEqual(['/api/sync/mutations', '/api/sync/mutations'])
})
