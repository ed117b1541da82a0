import { expect, it } from 'vitest'
import { maxNamed } from '#shared/sync/collections.ts'
import { acknowledgedAmong, settle } from './settle.ts'
import { maxRemovedAtOnce } from '../queue/store/outbox-store.ts'
import { createDisk, createMemoryStore } from '../testing/memory-store.ts'
import { add, queuedEntry } from '../testing/queued-entry.ts'
import { oliviaId } from '../testing/people.ts'
import { phone } from '../testing/queue-phone.ts'

it('a restored server gets an acknowledged change again that it no longer knows', async () => {
  const { server, time, network, store, states, enqueueEdit, pending, settleAt } = phone()
  await enqueueEdit('New')
  await time.pass(100)
  const { seqs } = acknowledgedAmong(await store.entriesOf(oliviaId), oliviaId, String(server.epoch))
  const view = { appliedVersion: server.version - 3, versionOf: () => 1 }
  await settleAt(view)
  expect(await states()).toEqual(['acknowledged'])
  await settleAt({ ...view, pulledSince: seqs }, 7)
  // So no applicant is told a second time, and another device has its time to bring what this one is about.
  expect(await pending()).toMatchObject([{ again: 'taken' }])
  await time.pass(100)
  expect(network.requests.map(({ url }) => url)).toEqual(['/api/sync/mutations', '/api/sync/mutations'])
})

it('many settled changes are removed in several short transactions', async () => {
  const store = createMemoryStore(createDisk())
  const acknowledged = { state: 'acknowledged' as const, acknowledged: { version: 3, body: null } }
  const many = Array.from({ length: maxRemovedAtOnce + 1 }, (_, id) => queuedEntry(`key-${id}`, acknowledged))
  await add(store, many)
  let maxRemoved = 0
  const watched = {
    ...store,
    change: ((lanes, decide) =>
      store.change(lanes, (seen) => {
        const change = decide(seen)
        maxRemoved = Math.max(maxRemoved, change.remove?.length ?? 0)
        return change
      })) satisfies typeof store.change,
  }
  const view = { epoch: undefined, appliedVersion: 3, versionOf: () => 3 }
  expect(await settle({ store: watched, wake: () => undefined }, 1, view, 7)).toBe(many.length)
  expect(maxRemoved).toBe(maxRemovedAtOnce)
  expect(await store.entriesOf(1)).toEqual([])
})

it('an acknowledgement is covered only by a history that contains it, not by a version alone', async () => {
  const store = createMemoryStore(createDisk())
  const taken = (checkpoint: string) => ({
    state: 'acknowledged' as const,
    acknowledged: { version: 47, checkpoint, epoch: 'e', body: null },
  })
  await add(store, [queuedEntry('a', taken('e.47.lost')), queuedEntry('b', taken('e.47.here'))])
  const view = {
    epoch: 'e',
    appliedVersion: 49,
    versionOf: () => 49,
    hasPassed: (name: string) => name === 'e.47.here',
  }
  const outbox = { store, wake: () => undefined }
  expect(await settle(outbox, 1, view, 7)).toBe(1)
  const left = await store.entriesOf(1)
  expect(left).toMatchObject([{ key: 'a', state: 'acknowledged' }])

  const asked = acknowledgedAmong(left, 1, 'e')
  expect(asked.checkpoints).toEqual(['e.47.lost'])
  expect(await settle(outbox, 1, { ...view, pulledSince: asked.seqs }, 7)).toBe(1)
})

it('a change for another organizer than the copy is of goes once the server has it', async () => {
  const store = createMemoryStore(createDisk())
  const taken = {
    state: 'acknowledged' as const,
    acknowledged: { version: 47, checkpoint: 'e.47', epoch: 'e', body: null },
  }
  await add(store, [queuedEntry('own', taken), queuedEntry('theirs', { ...taken, organizerId: 4 })])
  const view = { epoch: 'e', appliedVersion: 1, versionOf: () => 1 }
  expect(await settle({ store, wake: () => undefined }, 1, view, 7)).toBe(1)
  const left = await store.entriesOf(1)
  expect(left).toMatchObject([{ key: 'own' }])
  expect((await store.settled(1)).map(({ key, organizerId }) => [key, organizerId])).toEqual([['theirs', 4]])
  expect(acknowledgedAmong(left, 1, 'e', 4).checkpoints, 'a history of theirs is not asked about ours').toEqual([])
})

it('a pull names so many acknowledgements as fit into an address, and none of another epoch', () => {
  const taken = (n: number, epoch = 'e') => ({
    ...queuedEntry(`key-${epoch}-${n}`, {
      state: 'acknowledged',
      acknowledged: { version: n, checkpoint: `${epoch}.${n}`, epoch, body: null },
    }),
    seq: n,
  })
  const many = Array.from({ length: maxNamed + 1 }, (_, n) => taken(n))
  const { seqs, checkpoints } = acknowledgedAmong([...many, taken(90, 'before')], 1, 'e')
  expect(checkpoints).toEqual(many.slice(0, maxNamed).map(({ acknowledged }) => acknowledged?.checkpoint))
  expect([...seqs]).toEqual([...many.slice(0, maxNamed).map(({ seq }) => seq), 90])
})
