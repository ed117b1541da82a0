import { expect, it } from 'vitest'
import { createOutbox } from '../sync/queue/enqueue.ts'
import { deleteEvent } from '../sync/queue/mutations/delete-event.ts'
import { createDisk, createMemoryStore } from '../sync/testing/memory-store.ts'
import { saveFailureText } from './save-failure.ts'

/** As Dexie reports a disk that is full: the transaction was aborted, and why stands inside. */
const fullDisk = Object.assign(new Error('Transaction aborted'), {
  name: 'AbortError',
  inner: new DOMException('No room', 'QuotaExceededError'),
})

it.each([
  [
    'there is no room: the person learns what to do',
    fullDisk,
    /no room left.*still on the screen.*free some space.*try again/,
  ],
  ['of something else: that is its reason', new Error('The database is gone.'), 'The database is gone.'],
])('a change that the disk does not take is not said to be saved because %s', async (_, failure, told) => {
  const woken: string[] = []
  const outbox = createOutbox({
    store: { ...createMemoryStore(createDisk()), change: () => Promise.reject(failure) },
    now: () => 0,
    newKey: () => 'k',
    wake: (reason) => woken.push(reason),
    cancel: async () => 'unknown',
  })
  const deletion = outbox.enqueue(deleteEvent, { id: 12, name: 'Pier Night', basis: null }, { userId: 1 })
  const error: unknown = await deletion.catch((thrown: unknown) => thrown)
  expect(saveFailureText(error)).toMatch(told)
  expect(woken).toEqual([])
})
