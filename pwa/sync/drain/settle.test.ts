import { describe, expect, it } from 'vitest'
import { updateEvent } from '../queue/mutations/edit-event.ts'
import { acknowledgedAmong, settle } from './settle.ts'
import { eventFields, oliviaId } from '../testing/people.ts'
import { olivia, phone } from '../testing/queue-phone.ts'

describe('a restored server', () => {
  it('gets an acknowledged change again that it no longer knows', async () => {
    const { server, time, outbox, store, states } = phone()
    await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'New' }, basis: null }, olivia)
    await time.pass(100)
    const version = server.version
    const seqs = acknowledgedAmong(await store.entriesOf(oliviaId), oliviaId)
    await settle(
      { store, wake: () => {} },
      oliviaId,
      { epoch: '1', appliedVersion: version - 3, versionOf: () => 1 },
      0,
    )
    expect(await states()).toEqual(['acknowledged'])
    await settle(
      { store, wake: () => {} },
      oliviaId,
      { epoch: '1', appliedVersion: version - 3, versionOf: () => 1, pulledSince: seqs },
      7,
    )
    expect(await states()).toEqual(['queued'])
    // So nobody is told a second time, and another device has its time to bring what this one is about.
    expect(await outbox.pendingFor(oliviaId)).toMatchObject([{ again: { since: 7 } }])
  })
})
