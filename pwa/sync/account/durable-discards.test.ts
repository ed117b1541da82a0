import { beforeEach, expect, it, vi } from 'vitest'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { outbox } from '../queue/outbox.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { textStorage } from '../testing/text-storage.ts'
import { discardDurably, finishDiscards } from './durable-discards.ts'

const noNetwork = async () => Promise.reject(new TypeError('Failed to fetch'))
const pending = async (userId = 1) => (await outbox.pendingFor(userId)).map(({ seq }) => seq)

beforeEach(async () => {
  vi.stubGlobal('fetch', noNetwork)
  vi.stubGlobal('localStorage', textStorage())
  const everything = [...(await outbox.pendingFor(1)), ...(await outbox.pendingFor(2))]
  await outboxStore.change([], () => ({ remove: everything.map(({ seq }) => seq), result: undefined }))
})

async function refusedDeletion(eventId: number, userId = 1) {
  const entry = await outbox.enqueue(deleteEvent, { id: eventId, name: 'Matches', basis: null }, { userId })
  const problem = { code: 'forbidden', message: 'No', requestId: 'r' } as const
  const refusal = { status: 403, problem, at: '2026-01-01T00:00:00.000Z' }
  const parked = { ...entry, state: 'parked' as const, refusal }
  await outboxStore.change('all', () => ({ put: [parked], result: undefined }))
  return parked
}

it('a discard survives the page that was left in the moment of the press', async () => {
  const [given, kept] = [await refusedDeletion(1), await refusedDeletion(2)]
  const left = vi.spyOn(outbox, 'discard').mockImplementation(async () => await new Promise<never>(() => undefined))
  void discardDurably(given)
  left.mockRestore()
  expect(await pending()).toEqual([given.seq, kept.seq])
  await finishDiscards(1)
  expect(await pending()).toEqual([kept.seq])
})

it('a discard that was undone is not repeated at the next start', async () => {
  const given = await refusedDeletion(3)
  expect(await discardDurably(given)).toBe('discarded')
  await outbox.putBack(given)
  await finishDiscards(1)
  expect(await pending()).toEqual([given.seq])
})

it("another person's start leaves the discard for its owner's", async () => {
  const given = await refusedDeletion(4)
  const left = vi.spyOn(outbox, 'discard').mockImplementation(async () => await new Promise<never>(() => undefined))
  void discardDurably(given)
  left.mockRestore()
  await finishDiscards(2)
  expect(await pending()).toEqual([given.seq])
  await finishDiscards(1)
  expect(await pending()).toEqual([])
})
