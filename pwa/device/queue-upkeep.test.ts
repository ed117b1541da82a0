import { expect, it, vi } from 'vitest'
import { hearEpoch } from '../sync/http/reachability.ts'
import { outboxStore } from '../sync/queue/store/opened-outbox.ts'
import { beaFields } from '../sync/testing/people.ts'
import { add, queuedEntry } from '../sync/testing/queued-entry.ts'
import { textStorage } from '../sync/testing/text-storage.ts'
import { followServerEpoch } from './queue-upkeep.ts'

it("a volunteer's queued application waits for what a server that went back has lost, and only then", async () => {
  vi.stubGlobal('localStorage', textStorage())
  const args = { id: 410100000002, eventId: 12, eventName: 'Mixer', fields: beaFields }
  await add(outboxStore, [queuedEntry('a', { userId: null, lane: 'apply:12', mutation: 'apply-as-beacon', args })])
  const patience = async () => (await outboxStore.entriesOf(null)).map(({ again }) => again?.isNew ?? false)

  hearEpoch('first')
  followServerEpoch()
  hearEpoch('first')
  // The queue is asked in its order: what the epoch asks for would have been done before this answer.
  expect(await patience()).toEqual([false])
  expect(localStorage.getItem('beaconry/epoch')).toBe('first')

  hearEpoch('second')
  await expect.poll(patience).toEqual([true])
  await expect.poll(() => localStorage.getItem('beaconry/epoch')).toBe('second')
})
