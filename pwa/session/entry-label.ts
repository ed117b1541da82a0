import type { Entry } from '../outbox/entry.ts'
import { labelOf } from '../outbox/mutations/mutations.ts'

/** What a queued change does, in words: "Approve Ana Ruiz". Beside the queue's state, which every page shows, because a first visit needs no words. */
export const entryLabel = (entry: Entry): string =>
  entry.forget && entry.state !== 'parked' ? 'An application that was removed from this device' : labelOf(entry)
