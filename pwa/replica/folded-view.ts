import type { ApplicationDocument, EventDocument } from '#shared/api/replication.ts'
import { observable } from '../api/observable.ts'
import type { Entry } from '../outbox/entry.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import type { ApplicationCounts, ApplicationRow, EventRow } from './rows.ts'

/** Everything the organizer's screens read, folded once per change and shared by all hooks. */
export interface FoldedView {
  readonly status: 'loading' | 'ready'
  readonly asOf: string | null
  readonly events: readonly EventRow[]
  readonly eventById: ReadonlyMap<number, EventRow>
  readonly applicationsOf: ReadonlyMap<number, readonly ApplicationRow[]>
  readonly countsOf: ReadonlyMap<number, ApplicationCounts>
  readonly pendingTotal: number
}

export const noApplications: readonly ApplicationRow[] = []
export const noCounts: ApplicationCounts = { pending: 0, approved: 0, rejected: 0 }

const nothing: FoldedView = {
  status: 'loading',
  asOf: null,
  events: [],
  eventById: new Map(),
  applicationsOf: new Map(),
  countsOf: new Map(),
  pendingTotal: 0,
}

export const foldedView = observable<FoldedView>(nothing)

const newestFirst = (one: ApplicationRow, other: ApplicationRow) => other.application.id - one.application.id
const byStart = (one: EventRow, other: EventRow) =>
  one.event.startDate.localeCompare(other.event.startDate) || one.event.name.localeCompare(other.event.name) || one.event.id - other.event.id

function buildView(replica: ReplicaState): FoldedView {
  const applicationsOf = new Map<number, ApplicationRow[]>()
  const countsOf = new Map<number, { pending: number; approved: number; rejected: number }>()
  let pendingTotal = 0
  for (const application of replica.applications.values()) {
    const rows = applicationsOf.get(application.eventId) ?? []
    applicationsOf.set(application.eventId, rows)
    rows.push(applicationRow(application, null))
    const counts = countsOf.get(application.eventId) ?? { ...noCounts }
    countsOf.set(application.eventId, counts)
    counts[application.status] += 1
    if (application.status === 'pending') pendingTotal += 1
  }
  for (const rows of applicationsOf.values()) rows.sort(newestFirst)
  const events = [...replica.events.values()].map((event) => eventRow(event, null, countsOf.get(event.id) ?? noCounts)).sort(byStart)
  return {
    status: replica.status === 'ready' ? 'ready' : 'loading',
    asOf: replica.asOf,
    events,
    eventById: new Map(events.map((row) => [row.event.id, row])),
    applicationsOf,
    countsOf,
    pendingTotal,
  }
}

function applicationRow(application: ApplicationDocument, entry: Entry | null): ApplicationRow {
  return { application, mark: 'confirmed', entry }
}

function eventRow(event: EventDocument, entry: Entry | null, counts: ApplicationCounts): EventRow {
  return { event, mark: 'confirmed', entry, counts }
}

replicaState.subscribe(() => foldedView.set(buildView(replicaState.get())))
