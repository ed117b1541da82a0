import { expect, it } from 'vitest'
import { openOutboxDatabase } from '../queue/store/outbox-db.ts'
import { add, queuedEntry } from '../testing/queued-entry.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { followPending } from './follow-pending.ts'
import { pendingEntries } from '../replica/pending-entries.ts'

const oliviaId = 7
const ottoId = 8
const enqueue = (userId: number | null, key: string) => add(outboxStore, [queuedEntry(key, { userId })])
const keys = () => {
  const { account, visitor } = pendingEntries.get()
  return [account.map(({ key }) => key), visitor.map(({ key }) => key)]
}

it('the screens see the queue of the account and of visitors, whoever writes it', async () => {
  followPending(oliviaId)
  await expect.poll(() => pendingEntries.get().read).toBe(true)
  await enqueue(oliviaId, 'a')
  await enqueue(ottoId, 'b')
  await enqueue(null, 'c')
  await expect.poll(keys).toEqual([['a'], ['c']])

  const worker = openOutboxDatabase()
  await worker.store.change('all', ({ entries }) => ({
    put: entries.filter(({ key }) => key === 'a').map((sent) => ({ ...sent, state: 'sending' as const })),
    result: 0,
  }))
  await expect.poll(() => pendingEntries.get().account[0]?.state).toBe('sending')
  worker.close()

  followPending(ottoId)
  await expect.poll(keys).toEqual([['b'], ['c']])
  const end = followPending(null)
  await expect.poll(keys).toEqual([[], ['c']])
  end()
})
