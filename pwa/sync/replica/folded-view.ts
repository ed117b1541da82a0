import { byStart } from '#shared/time/event-time.ts'
import { observable, useObservable } from '../http/observable.ts'
import { isCovered } from '../drain/settle.ts'
import type { Entry } from '../queue/entry.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { type ApplicationRow, documentOf, type EventRow, fold, type FoldedReplica } from './fold.ts'
import { archivedApplications, withArchived } from './archived-applications.ts'
import { pendingEntries } from './pending-entries.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'

/** Folded once per change and shared by all hooks. */
export interface FoldedView {
  readonly status: 'loading' | 'ready'
  readonly asOf: string | null
  /** By start date, then name. */
  readonly events: readonly EventRow[]
  readonly eventById: ReadonlyMap<number, EventRow>
  /** The same array while none of the event's applications changed. */
  applicationsOf(eventId: number): readonly ApplicationRow[]
  readonly pendingTotal: number
  /** See `FoldedReplica`. */
  readonly loose: readonly Entry[]
}

const noRows: readonly ApplicationRow[] = []

function viewOf(replica: ReplicaState, folded: FoldedReplica): FoldedView {
  const events = [...folded.events.values()].sort((one, other) => byStart(one.event, other.event))
  return {
    status: replica.status === 'ready' ? 'ready' : 'loading',
    asOf: replica.asOf,
    events,
    eventById: new Map(events.map((row) => [row.event.id, row])),
    applicationsOf: (eventId) => folded.applications.get(eventId) ?? noRows,
    pendingTotal: events.reduce((total, { counts }) => total + counts.pending, 0),
    loose: folded.loose,
  }
}

const retainMs = 10_000

/**
 * The leading tab settles for all tabs, and the queue's news may arrive before the documents': a settled change is
 * folded until its document is here, or its row would go back for a moment.
 */
function createRetention(now: () => number) {
  let before: readonly Entry[] = []
  let retained: { entry: Entry; until: number }[] = []
  return (replica: ReplicaState, entries: readonly Entry[]): readonly Entry[] => {
    const here = new Set(entries.map(({ seq }) => seq))
    const left = before.filter(
      (entry) => entry.state === 'acknowledged' && entry.acknowledged?.version != null && !here.has(entry.seq),
    )
    before = entries
    retained = [...retained, ...left.map((entry) => ({ entry, until: now() + retainMs }))].filter(
      ({ entry, until }) => now() < until && !isShown(replica, entry),
    )
    if (retained.length === 0) return entries
    return [...retained.map(({ entry }) => entry), ...entries].sort((one, other) => one.seq - other.seq)
  }
}

function isShown(replica: ReplicaState, entry: Entry): boolean {
  const target = targetOf(entry)
  return !target || isCovered(entry, target.effect, documentOf(replica, target)?.version, replica)
}

const withRetained = createRetention(Date.now)

function foldNow(): FoldedView {
  const replica = withArchived(replicaState.get())
  const { account, writing = [] } = pendingEntries.get()
  const written = withRetained(replica, account)
  return viewOf(replica, fold(replica, writing.length === 0 ? written : [...written, ...writing]))
}

export const foldedView = observable<FoldedView>(foldNow())
const refold = () => foldedView.set(foldNow())
replicaState.subscribe(refold)
pendingEntries.subscribe(refold)
archivedApplications.subscribe(refold)

/** `missing` only when the replica is complete and does not have the event. */
export function useOrganizerEvent(id: number): {
  readonly status: 'loading' | 'missing' | 'ready'
  readonly row: EventRow | null
  readonly asOf: string | null
} {
  const { status, eventById, asOf } = useObservable(foldedView)
  const row = eventById.get(id) ?? null
  if (row) return { status: 'ready', row, asOf }
  return { status: status === 'loading' ? 'loading' : 'missing', row, asOf }
}
