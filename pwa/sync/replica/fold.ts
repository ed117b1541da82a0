import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { isCovered } from '../drain/settle.ts'
import { type Entry, type Mark, markOf } from '../queue/entry.ts'
import { basisOf, createStates, isShownAsDone } from '../queue/mutations/basis.ts'
import type { Folded } from '../queue/mutations/mutation.ts'
import { findKnown, type Known } from '../queue/mutations/mutations.ts'

/** Applications by status, with what is still on this device counted in. A withdrawn one counts as rejected. */
export type ApplicationCounts = Readonly<Record<ApplicationStatus, number>>

/** An event as the screen shows it: the replica's document with the queued changes folded in. */
export interface EventRow {
  readonly event: EventDocument
  readonly mark: Mark
  /** Of the changes that are not settled the refused one, else the newest; null with mark `confirmed`. */
  readonly entry: Entry | null
  /** All changes that are not settled, oldest first. */
  readonly entries: readonly Entry[]
  readonly counts: ApplicationCounts
}

/** An application as the screen shows it. */
export interface ApplicationRow {
  readonly application: ApplicationDocument
  readonly mark: Mark
  /** Of the changes that are not settled the refused one, else the newest: held and undoable, on its way, or sent. */
  readonly entry: Entry | null
  /** All changes that are not settled, oldest first. */
  readonly entries: readonly Entry[]
}

/** What the server said, as the replica holds it. Give the same arrays while nothing changed: they are indexed once. */
export interface ReplicaDocuments {
  readonly events: readonly EventDocument[]
  readonly applications: readonly ApplicationDocument[]
  /** The epoch its versions count in; undefined while nothing was pulled. */
  readonly epoch: string | undefined
  /** Up to which version of the organizer's scope everything is in the replica; 0 = unknown. */
  readonly appliedVersion: number
}

/** Everything an organizer's screens show. Rows that did not change keep their identity from fold to fold. */
export interface FoldedReplica {
  readonly events: ReadonlyMap<number, EventRow>
  readonly applications: ReadonlyMap<number, ApplicationRow>
  /** In the order of the replica's documents. */
  applicationsOf(eventId: number): readonly ApplicationRow[]
  /** Changes whose document is not on the screen: a refused creation, a deletion, a decision on what is gone. */
  readonly loose: readonly Entry[]
}

const noCounts: ApplicationCounts = { pending: 0, approved: 0, rejected: 0 }

interface Index {
  readonly documents: ReadonlyMap<string, ApplicationDocument>
  readonly rows: ReadonlyMap<number, ApplicationRow>
  readonly byEvent: ReadonlyMap<number, readonly ApplicationRow[]>
  readonly counts: ReadonlyMap<number, ApplicationCounts>
}

const eventRows = new WeakMap<EventDocument, EventRow>()
const applicationRows = new WeakMap<ApplicationDocument, ApplicationRow>()
const indexes = new WeakMap<readonly ApplicationDocument[], Index>()
const none: readonly Entry[] = []

function applicationRow(application: ApplicationDocument, entries = none): ApplicationRow {
  const known = applicationRows.get(application)
  if (known && hasSameEntries(known, entries)) return known
  const row = { application, mark: markOfAll(entries), entry: tellingEntry(entries), entries }
  applicationRows.set(application, row)
  return row
}

function eventRow(event: EventDocument, counts: ApplicationCounts, entries = none): EventRow {
  const known = eventRows.get(event)
  if (known && known.counts === counts && hasSameEntries(known, entries)) return known
  const row = { event, mark: markOfAll(entries), entry: tellingEntry(entries), counts, entries }
  eventRows.set(event, row)
  return row
}

const hasSameEntries = (row: { readonly entries: readonly Entry[] }, entries: readonly Entry[]) =>
  row.entries.length === entries.length && row.entries.every((entry, index) => entry === entries[index])

function withCount(counts: ApplicationCounts, status: ApplicationStatus, change: 1 | -1): ApplicationCounts {
  return { ...counts, [status]: counts[status] + change }
}

function indexOf(applications: readonly ApplicationDocument[]): Index {
  const known = indexes.get(applications)
  if (known) return known
  const documents = new Map<string, ApplicationDocument>()
  const rows = new Map<number, ApplicationRow>()
  const byEvent = new Map<number, ApplicationRow[]>()
  const counts = new Map<number, Record<ApplicationStatus, number>>()
  for (const document of applications) {
    const row = applicationRow(document)
    documents.set(document.key, document)
    rows.set(document.id, row)
    const siblings = byEvent.get(document.eventId)
    if (siblings) siblings.push(row)
    else byEvent.set(document.eventId, [row])
    let count = counts.get(document.eventId)
    if (!count) counts.set(document.eventId, (count = { ...noCounts }))
    count[document.status]++
  }
  const index = { documents, rows, byEvent, counts }
  indexes.set(applications, index)
  return index
}

/** What the replica holds under a key; undefined when it is not there. Applications are indexed once per array. */
export function documentOf(
  replica: Pick<ReplicaDocuments, 'events' | 'applications'>,
  { collection, key }: { readonly collection: 'events' | 'applications'; readonly key: string },
): EventDocument | ApplicationDocument | undefined {
  if (collection === 'applications') return indexOf(replica.applications).documents.get(key)
  return replica.events.find((event) => event.key === key)
}

const urgency: readonly Mark[] = ['confirmed', 'sent', 'on-this-phone', 'saving', 'needs-attention']

/** The change that says most about a row: the refused one, which what is blocked behind it only waits for; else the newest. */
function tellingEntry(entries: readonly Entry[]): Entry | null {
  return entries.findLast(({ state }) => state === 'parked') ?? entries.at(-1) ?? null
}

/** The mark of a row: of its entries the one that is furthest from confirmed. */
function markOfAll(entries: readonly Entry[]): Mark {
  return urgency[Math.max(0, ...entries.map((entry) => urgency.indexOf(markOf(entry))))] ?? 'confirmed'
}

/** Folds one change. @returns false when it cannot be folded, which keeps no other change from being shown */
function tryFold(folded: Folded, { mutation, args }: Known, key: string): boolean {
  try {
    mutation.fold(folded, args, key)
    return true
  } catch {
    return false
  }
}

/**
 * What the server said and what this device said on top of it. Pure, and the same however often the same changes are
 * folded: an acknowledged change that the replica shows already is left out.
 * @param entries one account's entries, by seq
 */
export function fold(replica: ReplicaDocuments, entries: readonly Entry[]): FoldedReplica {
  const index = indexOf(replica.applications)
  const serverEvents = new Map(replica.events.map((event) => [event.key, event]))
  const folded: Folded = { events: new Map(serverEvents), applications: new Map(index.documents) }
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
    states.hear(entry)
    const document = (collection === 'events' ? serverEvents : index.documents).get(key)
    if (
      entry.state === 'acknowledged' &&
      isCovered(entry, effect === 'delete' ? undefined : document?.version, replica)
    )
      continue
    const present = folded[collection].get(key)?.basis
    if (isShownAsDone(entry) && present !== undefined && known.mutation.isAlready?.(folded, known.args))
      states.keep(entry.key, present)
    // One that the server has moved past is not shown: it will be refused.
    else if (isShownAsDone(entry) && states.isOnTop(basisOf(known), present) && !tryFold(folded, known, entry.key)) {
      loose.push(entry)
      continue
    }
    targeted.push({ entry, collection, key })
  }
  for (const { entry, collection, key } of targeted) {
    if (!folded[collection].has(key)) {
      loose.push(entry)
      continue
    }
    const mine = touched[collection].get(key)
    if (mine) mine.push(entry)
    else touched[collection].set(key, [entry])
  }
  const isShorter = folded.applications.size !== index.documents.size
  const applications = patched(
    isShorter ? indexOf([...folded.applications.values()]) : index,
    folded,
    touched.applications,
  )
  const events = new Map<number, EventRow>()
  for (const [key, document] of folded.events) {
    events.set(
      document.id,
      eventRow(document, applications.counts.get(document.id) ?? noCounts, touched.events.get(key)),
    )
  }
  return {
    events,
    applications: applications.rows,
    applicationsOf: (eventId) => applications.byEvent.get(eventId) ?? [],
    loose: loose.sort((a, b) => a.seq - b.seq),
  }
}

/** The index with the rows of some applications replaced; untouched events keep their lists. */
function patched(index: Index, folded: Folded, touched: ReadonlyMap<string, readonly Entry[]>): Index {
  if (touched.size === 0) return index
  const rows = new Map(index.rows)
  const byEvent = new Map(index.byEvent)
  const counts = new Map(index.counts)
  const changedEvents = new Set<number>()
  for (const [key, entries] of touched) {
    const document = folded.applications.get(key)
    const before = document && index.rows.get(document.id)
    if (!document || !before) continue
    rows.set(document.id, applicationRow(document, entries))
    changedEvents.add(document.eventId)
    if (before.application.status !== document.status) {
      const count = withCount(counts.get(document.eventId) ?? noCounts, before.application.status, -1)
      counts.set(document.eventId, withCount(count, document.status, 1))
    }
  }
  for (const eventId of changedEvents) {
    const siblings = byEvent.get(eventId) ?? []
    byEvent.set(
      eventId,
      siblings.map((row) => rows.get(row.application.id) ?? row),
    )
  }
  return { ...index, rows, byEvent, counts }
}
