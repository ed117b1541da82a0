import { byStart } from '#shared/events/by-start.ts'
import { observable, useObservable } from '../../browser/observable.ts'
import { storageTrouble } from '../../browser/storage-trouble.ts'
import { isCovered } from '../drain/settle.ts'
import { actingOrganizer } from '../../browser/acting.ts'
import type { Entry } from '../queue/entry.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { type ApplicationRow, documentOf, type EventRow, fold, type FoldedReplica } from './fold.ts'
import { archivedApplications, withArchived } from './archived-applications.ts'
import { pendingEntries } from './pending-entries.ts'
import { emptyReplica, replicaState, type ReplicaState } from './replica-state.ts'

/** It is folded once per change and shared by all hooks. */
export interface FoldedView {
  readonly status: 'loading' | 'ready'
  readonly asOf: string | null
  /** Events are sorted by start date, then name. */
  readonly events: readonly EventRow[]
  readonly eventById: ReadonlyMap<number, EventRow>
  /** Returns the same array while none of the event's applications changed. */
  applicationsOf(eventId: number): readonly ApplicationRow[]
  readonly pendingTotal: number
  /** This event's applications are fetched from the server and shown with the device's own. */
  readonly archivedEventId: number | undefined
  /** See `FoldedReplica`. */
  readonly loose: readonly Entry[]
}

const noRows: readonly ApplicationRow[] = []

/** @param isWhole everything that is folded is known */
function viewOf(replica: ReplicaState, folded: FoldedReplica, isWhole: boolean): FoldedView {
  const events = [...folded.events.values()].sort((one, other) => byStart(one.event, other.event))
  return {
    status: isWhole && replica.status === 'ready' ? 'ready' : 'loading',
    asOf: replica.asOf,
    events,
    eventById: new Map(events.map((row) => [row.event.id, row])),
    applicationsOf: (eventId) => folded.applications.get(eventId) ?? noRows,
    pendingTotal: events.reduce((total, { counts }) => total + counts.pending, 0),
    archivedEventId: archivedApplications.get()?.eventId,
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

const withUnsyncedSettled = createRetention(Date.now)

function foldNow(): FoldedView {
  const { read, account, writing = [] } = pendingEntries.get()
  // Without the queue a row that was decided here would show as pending. Storage that does not answer must not hide
  // what the server answers; the screen then says that it is not all.
  const isWhole = read || storageTrouble.get() !== null
  const replica = isWhole ? withArchived(replicaState.get()) : emptyReplica
  const organizerId = actingOrganizer()
  const isShownHere = (entry: Entry) => entry.organizerId === organizerId
  const written = withUnsyncedSettled(replica, account.every(isShownHere) ? account : account.filter(isShownHere))
  const unwritten = writing.filter(isShownHere)
  return viewOf(replica, fold(replica, unwritten.length === 0 ? written : [...written, ...unwritten]), isWhole)
}

export const foldedView = observable<FoldedView>(foldNow())
const refold = () => foldedView.set(foldNow())
replicaState.subscribe(refold)
pendingEntries.subscribe(refold)
storageTrouble.subscribe(refold)
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
