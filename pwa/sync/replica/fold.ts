import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { isCovered } from '../drain/settle.ts'
import { type Entry, type SyncState, syncStateOf } from '../queue/entry.ts'
import { basisOf, createStates, isShownAsDone } from '../queue/mutations/entry-basis.ts'
import type { Folded, FoldedDocuments } from '../queue/mutations/mutation.ts'
import { findKnown, type Known } from '../queue/mutations/mutations.ts'

/** With queued changes counted in. A withdrawn application counts as rejected. */
export type ApplicationCounts = Readonly<Record<ApplicationStatus, number>>

export interface EventRow {
  readonly event: EventDocument
  readonly syncState: SyncState
  /** The refused one of the unsettled changes, else the newest; null when `confirmed`. */
  readonly entry: Entry | null
  /** Not settled, oldest first. */
  readonly entries: readonly Entry[]
  readonly counts: ApplicationCounts
}

export interface ApplicationRow {
  readonly application: ApplicationDocument
  readonly syncState: SyncState
  readonly entry: Entry | null
  /** As an `EventRow`'s. */
  readonly entries: readonly Entry[]
}

/** The same arrays while nothing changed: they are indexed once. */
export interface ReplicaDocuments {
  readonly events: readonly EventDocument[]
  readonly applications: readonly ApplicationDocument[]
  /** The epoch its versions count in; undefined while nothing was pulled. */
  readonly epoch: string | undefined
  /** The whole organizer's scope is here up to this version; 0 = unknown. */
  readonly appliedVersion: number
}

/** Rows and lists that did not change keep their identity from fold to fold. */
export interface FoldedReplica {
  readonly events: ReadonlyMap<number, EventRow>
  /** By event, newest first. */
  readonly applications: ReadonlyMap<number, readonly ApplicationRow[]>
  /** Their document is not on the screen: a refused creation, a deletion, a decision on what is gone. */
  readonly loose: readonly Entry[]
}

interface Applicants {
  readonly rows: readonly ApplicationRow[]
  readonly counts: ApplicationCounts
}

interface Index {
  readonly rows: ReadonlyMap<string, ApplicationRow>
  readonly byEvent: ReadonlyMap<number, Applicants>
}

const eventRows = new WeakMap<EventDocument, EventRow>()
const changedRows = new WeakMap<ApplicationDocument, ApplicationRow>()
const indexes = new WeakMap<readonly ApplicationDocument[], Index>()
const none: readonly Entry[] = []
const noApplicants: Applicants = { rows: [], counts: { pending: 0, approved: 0, rejected: 0 } }

function changedRow(application: ApplicationDocument, entries = none): ApplicationRow {
  const known = changedRows.get(application)
  if (known && hasSameEntries(known, entries)) return known
  const row = { application, syncState: syncStateOfAll(entries), entry: tellingEntry(entries), entries }
  changedRows.set(application, row)
  return row
}

function eventRow(event: EventDocument, counts: ApplicationCounts, entries = none): EventRow {
  const known = eventRows.get(event)
  if (known && known.counts === counts && hasSameEntries(known, entries)) return known
  const row = { event, syncState: syncStateOfAll(entries), entry: tellingEntry(entries), counts, entries }
  eventRows.set(event, row)
  return row
}

const hasSameEntries = (row: { readonly entries: readonly Entry[] }, entries: readonly Entry[]) =>
  row.entries.length === entries.length && row.entries.every((entry, index) => entry === entries[index])

/** Ids say nothing about time: an application made without a network arrives later. */
export const newestFirst = ({ application: one }: ApplicationRow, { application: other }: ApplicationRow) =>
  one.createdAt === other.createdAt ? other.id - one.id : one.createdAt < other.createdAt ? 1 : -1

/** The next one takes over its rows. */
let latest: Index | undefined

function indexOf(applications: readonly ApplicationDocument[]): Index {
  const known = indexes.get(applications)
  if (known) return known
  const rows = new Map<string, ApplicationRow>()
  for (const application of applications) {
    const before = latest?.rows.get(application.key)
    const isSame = before?.application === application
    rows.set(application.key, isSame ? before : { application, syncState: 'confirmed', entry: null, entries: none })
  }
  const byEvent = new Map<number, { rows: ApplicationRow[]; counts: Record<ApplicationStatus, number> }>()
  for (const row of [...rows.values()].sort(newestFirst)) {
    const { eventId, status } = row.application
    const applicants = byEvent.get(eventId) ?? { rows: [], counts: { ...noApplicants.counts } }
    byEvent.set(eventId, applicants)
    applicants.rows.push(row)
    applicants.counts[status] += 1
  }
  latest = { rows, byEvent }
  indexes.set(applications, latest)
  return latest
}

/** Undefined when the document is not there. */
export function documentOf(
  replica: Pick<ReplicaDocuments, 'events' | 'applications'>,
  { collection, key }: { readonly collection: 'events' | 'applications'; readonly key: string },
): EventDocument | ApplicationDocument | undefined {
  if (collection === 'applications') return indexOf(replica.applications).rows.get(key)?.application
  return replica.events.find((event) => event.key === key)
}

const urgency: readonly SyncState[] = ['confirmed', 'sent', 'on-this-phone', 'saving', 'needs-attention']

/** What is blocked behind a refused change only waits for it. */
function tellingEntry(entries: readonly Entry[]): Entry | null {
  return entries.findLast(({ state }) => state === 'parked') ?? entries.at(-1) ?? null
}

function syncStateOfAll(entries: readonly Entry[]): SyncState {
  return urgency[Math.max(0, ...entries.map((entry) => urgency.indexOf(syncStateOf(entry))))] ?? 'confirmed'
}

class Overlay implements FoldedDocuments<ApplicationDocument> {
  /** Undefined where a document was deleted. */
  readonly changed = new Map<string, ApplicationDocument | undefined>()
  readonly #below: ReadonlyMap<string, ApplicationRow>

  constructor(below: ReadonlyMap<string, ApplicationRow>) {
    this.#below = below
  }

  get(key: string): ApplicationDocument | undefined {
    return this.changed.has(key) ? this.changed.get(key) : this.#below.get(key)?.application
  }

  set(key: string, document: ApplicationDocument): void {
    this.changed.set(key, document)
  }

  delete(key: string): void {
    this.changed.set(key, undefined)
  }

  *entries(): Iterable<readonly [string, ApplicationDocument]> {
    for (const key of new Set([...this.#below.keys(), ...this.changed.keys()])) {
      const document = this.get(key)
      if (document !== undefined) yield [key, document]
    }
  }
}

/** @returns false for a change that cannot be folded: others are still shown */
function tryFold(folded: Folded, { mutation, args }: Known, key: string): boolean {
  try {
    mutation.fold(folded, args, key)
    return true
  } catch {
    return false
  }
}

/**
 * Pure and repeatable: acknowledged changes that the replica shows already are left out.
 * @param entries one account's entries, by seq
 */
export function fold(replica: ReplicaDocuments, entries: readonly Entry[]): FoldedReplica {
  const index = indexOf(replica.applications)
  const serverEvents = new Map(replica.events.map((event) => [event.key, event]))
  const events = new Map(serverEvents)
  const applications = new Overlay(index.rows)
  const folded: Folded = { events, applications }
  const touched = { events: new Map<string, Entry[]>(), applications: new Map<string, Entry[]>() }
  const loose: Entry[] = []
  const targeted: { entry: Entry; collection: 'events' | 'applications'; key: string }[] = []
  const states = createStates()
  for (const entry of entries) {
    const known = findKnown(entry)
    const target = known?.mutation.target(known.args)
    if (!known || !target) {
      loose.push(entry)
      continue
    }
    const { collection, key, effect } = target
    states.record(entry)
    const document = collection === 'events' ? serverEvents.get(key) : index.rows.get(key)?.application
    if (entry.state === 'acknowledged' && isCovered(entry, effect, document?.version, replica)) continue
    const present = folded[collection].get(key)?.basis
    if (isShownAsDone(entry) && present !== undefined && known.mutation.isAlready?.(folded, known.args))
      states.keep(entry.key, present)
    // Not shown when the server has moved past it: it will be refused.
    else if (isShownAsDone(entry) && states.isOnTop(basisOf(known), present) && !tryFold(folded, known, entry.key)) {
      loose.push(entry)
      continue
    }
    targeted.push({ entry, collection, key })
  }
  for (const { entry, collection, key } of targeted) {
    if (folded[collection].get(key) === undefined) {
      loose.push(entry)
      continue
    }
    const mine = touched[collection].get(key)
    if (mine) mine.push(entry)
    else touched[collection].set(key, [entry])
  }
  const applicants = foldedApplicants(index, applications, touched.applications)
  const rows = new Map<number, EventRow>()
  for (const [key, document] of events)
    rows.set(
      document.id,
      eventRow(document, (applicants.get(document.id) ?? noApplicants).counts, touched.events.get(key)),
    )
  return {
    events: rows,
    applications: new Map([...applicants].map(([id, { rows }]) => [id, rows])),
    loose: loose.sort((a, b) => a.seq - b.seq),
  }
}

function foldedApplicants(
  { rows, byEvent }: Index,
  folded: Overlay,
  touched: ReadonlyMap<string, readonly Entry[]>,
): ReadonlyMap<number, Applicants> {
  const changing = new Map<number, { rows: ApplicationRow[]; counts: Record<ApplicationStatus, number> }>()
  const gone = new Set<ApplicationRow>()
  for (const key of new Set([...folded.changed.keys(), ...touched.keys()])) {
    const row = rows.get(key)
    if (!row) continue
    const { eventId, status } = row.application
    const before = byEvent.get(eventId) ?? noApplicants
    const applicants = changing.get(eventId) ?? { rows: [...before.rows], counts: { ...before.counts } }
    changing.set(eventId, applicants)
    applicants.counts[status] -= 1
    const document = folded.get(key)
    if (document) {
      applicants.rows[applicants.rows.indexOf(row)] = changedRow(document, touched.get(key))
      applicants.counts[document.status] += 1
    } else gone.add(row)
  }
  const after = new Map<number, Applicants>([...byEvent, ...changing])
  if (gone.size > 0)
    for (const [id, { rows, counts }] of changing) after.set(id, { rows: rows.filter((row) => !gone.has(row)), counts })
  return after
}
