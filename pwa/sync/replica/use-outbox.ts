import { useMemo } from 'react'
import { reachability } from '../http/reachability.ts'
import { type Entry, type SyncState, syncStateOf } from '../queue/entry.ts'
import { pendingEntries } from './pending-entries.ts'
import { replicaState } from './replica-state.ts'
import { useObservable } from '../../browser/observable.ts'
import { storageTrouble } from '../../browser/storage-trouble.ts'

export interface OutboxItem {
  readonly entry: Entry
  readonly syncState: SyncState
  /** It is null while the change is simply on its way. */
  readonly reason: string | null
}

export interface Outbox {
  readonly status: 'loading' | 'ready'
  /** Lists changes of the signed-in account and of visitors, in the order in which they were made. */
  readonly items: readonly OutboxItem[]
  /** These are not settled yet, and need no attention. */
  readonly waiting: number
  /** Shown, and kept by no disk: the storage fails or does not answer. */
  readonly unsaved: number
  /** Counts what was refused, or is behind a refused change. */
  readonly attention: number
  readonly badge: 'all-saved' | 'saving' | 'offline' | 'attention' | 'reading' | 'not-saved'
  /** When the server was last known to have nothing newer (ISO). */
  readonly lastSyncAt: string | null
}

export function useOutbox(): Outbox {
  const pending = useObservable(pendingEntries)
  const reach = useObservable(reachability)
  const trouble = useObservable(storageTrouble)
  const { asOf } = useObservable(replicaState)
  const items = useMemo(
    (): readonly OutboxItem[] =>
      [...pending.account, ...pending.visitor]
        .sort((one, other) => one.seq - other.seq)
        .map((entry) => ({ entry, syncState: syncStateOf(entry), reason: reasonOf(entry) })),
    [pending],
  )
  const attention = items.filter(({ syncState }) => syncState === 'needs-attention').length
  const unsaved = pending.writing?.filter((entry) => entry.unsaved).length ?? 0
  const waiting = items.length - attention
  const badge = (): Outbox['badge'] => {
    if (unsaved > 0 || trouble) return 'not-saved'
    if (attention > 0) return 'attention'
    if (reach === 'unreachable') return 'offline'
    if (!pending.read) return 'reading'
    return waiting > 0 ? 'saving' : 'all-saved'
  }
  return {
    status: pending.read ? 'ready' : 'loading',
    items,
    waiting,
    unsaved,
    attention,
    badge: badge(),
    lastSyncAt: asOf,
  }
}

function reasonOf(entry: Entry): string | null {
  switch (entry.state) {
    case 'parked':
      return refusalText(entry)
    case 'blocked':
      return 'Waits for an earlier change that needs attention.'
    case 'needsAuth':
      return 'Waits until you sign in again.'
    default:
      return entry.again === 'taken' && entry.state === 'queued'
        ? 'Sent once more: the server was brought back to an earlier state.'
        : null
  }
}

function refusalText({ again, refusal }: Entry): string | null {
  if (!refusal) return null
  const { message } = refusal.problem
  if (!again) return message
  return `The server was brought back to an earlier state and refused this change: ${message} Another of your devices may bring back what is missing; then choose Retry.`
}
