import { useMemo } from 'react'
import {
  useObservable,
  reachability,
  syncStateOf,
  type Entry,
  type SyncState,
  pendingEntries,
  replicaState,
} from '../../sync/index.ts'

export interface OutboxItem {
  readonly entry: Entry
  readonly syncState: SyncState
  /** Null while the change is simply on its way. */
  readonly reason: string | null
}

export interface Outbox {
  readonly status: 'loading' | 'ready'
  /** Of the signed-in account and of visitors, in the order made. */
  readonly items: readonly OutboxItem[]
  /** Not settled yet, without need of attention. */
  readonly waiting: number
  /** Refused, or behind one that was. */
  readonly attention: number
  readonly badge: 'all-saved' | 'saving' | 'offline' | 'attention'
  /** When the server was last known to have nothing newer (ISO). */
  readonly lastSyncAt: string | null
}

export function useOutbox(): Outbox {
  const pending = useObservable(pendingEntries)
  const reach = useObservable(reachability)
  const { asOf } = useObservable(replicaState)
  const items = useMemo(
    (): readonly OutboxItem[] =>
      [...pending.account, ...pending.visitor]
        .sort((one, other) => one.seq - other.seq)
        .map((entry) => ({ entry, syncState: syncStateOf(entry), reason: reasonOf(entry) })),
    [pending],
  )
  const attention = items.filter(({ syncState }) => syncState === 'needs-attention').length
  const waiting = items.length - attention
  const badge = attention > 0 ? 'attention' : reach === 'unreachable' ? 'offline' : waiting > 0 ? 'saving' : 'all-saved'
  return { status: pending.read ? 'ready' : 'loading', items, waiting, attention, badge, lastSyncAt: asOf }
}

function reasonOf(entry: Entry): string | null {
  switch (entry.state) {
    case 'parked':
      return entry.refusal?.problem.message ?? null
    case 'blocked':
      return 'Waits for an earlier change that needs attention.'
    case 'needsAuth':
      return 'Waits until you sign in again.'
    default:
      // It waits for what another device has to bring back.
      return entry.again && entry.state === 'queued'
        ? 'offered again: the server was brought back to an earlier state'
        : null
  }
}
