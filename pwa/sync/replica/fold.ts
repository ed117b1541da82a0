import { byNewest } from '#shared/applications/by-newest.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { isCovered } from '../drain/settle.ts'
import { type Entry, type SyncState, syncStateOf } from '../queue/entry.ts'
import { basisOf, createBasisIndex, isShownAsDone } from '../queue/mutations/entry-basis.ts'
import type { Folded, FoldedDocuments } from '../queue/mutations/mutation.ts'
import { findKnown, type KnownMutation } from '../queue/mutations/mutations.ts'

/** Queued changes are counted in. A withdrawn application counts as rejected. */
export type ApplicationCounts = Readonly<Record<ApplicationStatus, number>>

export interface EventRow {
  readonly event: EventDocument
  readonly syncState: SyncState
  /** The refused one of the unsettled changes, else the newest; null when `confirmed`. */
  readonly entry: Entry | null
  /** These are not settled yet, and the oldest comes first. */
  readonly entries: readonly Entry[]
  readonly counts: ApplicationCounts
}

export interface ApplicationRow {
  readonly application: ApplicationDocument
  readonly syncState: SyncState
  readonly entry: Entry | null
  /** The entries are like an `EventRow`'s. */
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
  /** The key is the event, and the newest comes first. */
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

/** The next one takes over its rows, and its events of which nothing changed. */
let latest: Index | undefined

function indexOf(applications: readonly ApplicationDocument[]): Index {
  const known = indexes.get(applications)
  if (known) return known
  const rows = new Map<string, ApplicationRow>()
  const grouped = new Map<number, ApplicationRow[]>()
  for (const application of applications) {
    const before = latest?.rows.get(application.key)
    const isSame = before?.application === application
    const row: ApplicationRow = isSame ? before : { application, syncState: 'confirmed', entry: null, entries: none }
    rows.set(application.key, row)
    const mine = grouped.get(application.eventId)
    if (mine) mine.push(row)
    else grouped.set(application.eventId, [row])
  }
  const byEvent = new Map<number, Applicants>()
  for (const [eventId, mine] of grouped) {
    const before = latest?.byEvent.get(eventId)
    byEvent.set(eventId, before && hasSameRows(before, mine) ? before : applicantsOf(mine))
  }
  latest = { rows, byEvent }
  indexes.set(applications, latest)
  return latest
}

function hasSameRows({ rows }: Applicants, others: readonly ApplicationRow[]): boolean {
  if (rows.length !== others.length) return false
  const known = new Set(rows)
  return others.every((row) => known.has(row))
}

function applicantsOf(rows: readonly ApplicationRow[]): Applicants {
  const counts = { ...noApplicants.counts }
  for (const { application } of rows) counts[application.status] += 1
  return { rows: [...rows].sort((one, other) => byNewest(one.application, other.application)), counts }
}

/** Returns undefined when the document is not there. */
export function documentOf(
  replica: Pick<ReplicaDocuments, 'events' | 'applications'>,
  { collection, key }: { readonly collection: 'events' | 'applications'; readonly key: string },
): EventDocument | ApplicationDocument | undefined {
  if (collection === 'applications') return indexOf(replica.applications).rows.get(key)?.application
  return replica.events.find((event) => event.key === key)
}

const urgency: readonly SyncState[] = ['confirmed', 'sent', 'on-this-phone', 'saving', 'not-saved', 'needs-attention']

/** What is blocked behind a refused change only waits for it. */
function tellingEntry(entries: readonly Entry[]): Entry | null {
  return entries.findLast(({ state }) => state === 'parked') ?? entries.at(-1) ?? null
}

function syncStateOfAll(entries: readonly Entry[]): SyncState {
  return urgency[Math.max(0, ...entries.map((entry) => urgency.indexOf(syncStateOf(entry))))] ?? 'confirmed'
}

class Overlay implements FoldedDocuments<ApplicationDocument> {
  /** Undefined means that a document was deleted. */
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
function tryFold(folded: Folded, { mutation, args }: KnownMutation, key: string): boolean {
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
  const states = createBasisIndex()
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
    else if (isShownAsDone(entry) && states.appliesTo(basisOf(known), present) && !tryFold(folded, known, entry.key)) {
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

function insertNewestFirst(rows: ApplicationRow[], row: ApplicationRow): void {
  const older = rows.findIndex((other) => byNewest(row.application, other.application) < 0)
  rows.splice(older === -1 ? rows.length : older, 0, row)
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
    const document = folded.get(key)
    const eventId = (row?.application ?? document)?.eventId
    if (eventId === undefined) continue
    const before = byEvent.get(eventId) ?? noApplicants
    const applicants = changing.get(eventId) ?? { rows: [...before.rows], counts: { ...before.counts } }
    changing.set(eventId, applicants)
    if (row) applicants.counts[row.application.status] -= 1
    if (document) applicants.counts[document.status] += 1
    if (row && document) applicants.rows[applicants.rows.indexOf(row)] = changedRow(document, touched.get(key))
    else if (row) gone.add(row)
    else if (document) insertNewestFirst(applicants.rows, changedRow(document, touched.get(key)))
  }
  const after = new Map<number, Applicants>([...byEvent, ...changing])
  if (gone.size > 0)
    for (const [id, { rows, counts }] of changing) after.set(id, { rows: rows.filter((row) => !gone.has(row)), counts })
  return after
}
