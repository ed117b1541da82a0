import { liveQuery, type Subscription } from 'dexie'
import { outboxStore } from '../outbox/opened-outbox.ts'
import { pendingEntries } from './pending-entries.ts'

let following: Subscription | undefined

/** Shows the screens the queue of one account, or of nobody, and a visitor's; replaces the one followed before. */
export function followPending(userId: number | null): void {
  following?.unsubscribe()
  following = liveQuery(async () => ({
    account: userId === null ? [] : await outboxStore.entriesOf(userId),
    visitor: await outboxStore.entriesOf(null),
  })).subscribe({
    next: (entries) => pendingEntries.set({ read: true, ...entries }),
    // The queue cannot be read here (storage forbidden): the screens show what the server says.
    error: () => pendingEntries.set({ read: true, account: [], visitor: [] }),
  })
}
