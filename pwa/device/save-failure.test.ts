import { describe, expect, it } from 'vitest'
import { createOutbox } from '../sync/queue/enqueue.ts'
import { deleteEvent } from '../sync/queue/mutations/delete-event.ts'
import { createDisk, createMemoryStore } from '../sync/testing/memory-store.ts'
import { saveFailureText } from './save-failure.ts'

const olivia = { userId: 1 }
const deletion = { id: 12, name: 'Pier Night' }

/** As Dexie reports a disk that is full: the transaction was aborted, and why stands inside. */
function fullDisk(): Error {
  return Object.assign(new Error('Transaction aborted'), {
    name: 'AbortError',
    inner: new DOMException('No room', 'QuotaExceededError'),
  })
}

function outboxOn(change: () => Promise<never>) {
  const woken: string[] = []
  const outbox = createOutbox({
    store: { ...createMemoryStore(createDisk()), change },
    now: () => 0,
    newKey: () => 'k',
    wake: (reason) => woken.push(reason),
    cancel: async () => 'unknown',
  })
  return { outbox, woken }
}

describe('a change that the disk does not take', () => {
  it('is not said to be saved, and the person learns that there is no room and what to do', async () => {
    const { outbox, woken } = outboxOn(async () => Promise.reject(fullDisk()))
    const error: unknown = await outbox.enqueue(deleteEvent, deletion, olivia).catch((failure: unknown) => failure)
    expect(saveFailureText(error)).toMatch(/no room left.*still on the screen.*free some space.*try again/)
    expect(woken).toEqual([])
  })

  it('keeps its own reason when that is another one', async () => {
    const { outbox } = outboxOn(async () => Promise.reject(new Error('The database is gone.')))
    const error: unknown = await outbox.enqueue(deleteEvent, deletion, olivia).catch((failure: unknown) => failure)
    expect(saveFailureText(error)).toBe('The database is gone.')
  })
})
