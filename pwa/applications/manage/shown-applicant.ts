import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { mayDecide, type Decision } from '#shared/applications/decide.ts'
import { todayIn } from '#shared/time/event-time.ts'
import { syncStateOf, type Entry, type SyncState, decideApplication, type ApplicationRow } from '../../sync/index.ts'
import { wordFinder } from '../../ui/page/word-finder.ts'
import type { ShownStatus } from '../../ui/status-badge.tsx'

export const dash = '–'

export function fullName(application: Pick<ApplicationDocument, 'firstName' | 'lastName'>): string {
  return `${application.firstName} ${application.lastName}`.trim()
}

/** Specification, section 5. */
export function initialsOf(application: Pick<ApplicationDocument, 'firstName' | 'lastName'>): string {
  return [...application.firstName]
    .slice(0, 1)
    .concat([...application.lastName].slice(0, 1))
    .join('')
    .toUpperCase()
}

/** 'Community Lead at Northside Labs', or the part that exists; null without both. */
export function workLine({ jobTitle, company }: Pick<ApplicationDocument, 'jobTitle' | 'company'>): string | null {
  if (jobTitle && company) return `${jobTitle} at ${company}`
  return jobTitle ?? company
}

/** A withdrawn application is stored as rejected. */
export function shownStatus(application: Pick<ApplicationDocument, 'status' | 'withdrawnAt'>): ShownStatus {
  return application.withdrawnAt === null ? application.status : 'withdrawn'
}

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

export const decisionWord = (status: string): string => (status === 'approved' ? 'Approved' : 'Rejected')

/** The likely decision comes last, under the thumb. Empty for a withdrawn application. */
export function possibleDecisions(application: Pick<ApplicationDocument, 'status' | 'withdrawnAt'>): Decision[] {
  return (['rejected', 'approved'] as const).filter((to) => mayDecide(application, to))
}

/** The refused decision, since later ones only wait for it; else the newest. */
export function decisionEntry({ entries }: Pick<ApplicationRow, 'entries'>): Entry | null {
  if (entries.length === 0) return null
  const decisions = entries.filter(({ mutation }) => mutation === decideApplication.name)
  return decisions.findLast(({ state }) => state === 'parked') ?? decisions.at(-1) ?? null
}

/** The state of the newest decision: queued notes and stars do not count. */
export function decisionSyncState(row: Pick<ApplicationRow, 'entries'>): SyncState {
  const entry = decisionEntry(row)
  return entry ? syncStateOf(entry) : 'confirmed'
}

/**
 * True while the newest decision shows and is not being sent. One that was tried without an answer may have arrived:
 * undoing it asks the server to forbid it.
 */
export function isUndoable(row: Pick<ApplicationRow, 'entries'>): boolean {
  const entry = decisionEntry(row)
  return entry !== null && (entry.state === 'held' || entry.state === 'queued') && !entry.discarding
}

/** Whether an approved Beacon was seen today, by the venue's clock. */
export function isHere(
  { status, arrivedAt }: Pick<ApplicationDocument, 'status' | 'arrivedAt'>,
  timeZone: string,
  now: Date,
): boolean {
  return (
    status === 'approved' && arrivedAt !== null && todayIn(timeZone, new Date(arrivedAt)) === todayIn(timeZone, now)
  )
}

/** Undefined before the first has said so. */
export function comingLine(rows: readonly ApplicationRow[]): string | undefined {
  const said = withStatus(rows, 'approved').map(({ application }) => application.coming)
  const silent = said.filter((coming) => coming === undefined).length
  if (silent === said.length) return undefined
  const [yes, no] = [true, false].map((wish) => said.filter((coming) => coming === wish).length)
  return `${yes} will be there · ${silent} ${silent === 1 ? 'has' : 'have'} not said · ${no} can’t come`
}

/** `here`: who was seen today. */
export type StatusFilter = 'all' | ApplicationDocument['status'] | 'here'

/**
 * `waiting`: pending first, longest wait first; then decided ones, newest first. `event`: the longest waiting event
 * first.
 */
export type SortOrder = 'waiting' | 'newest' | 'oldest' | 'name' | 'starred' | 'event'

const names = new Intl.Collator('en-US', { sensitivity: 'base' })

const withStatus = (rows: readonly ApplicationRow[], status: ApplicationDocument['status']) =>
  rows.filter(({ application }) => application.status === status)

function waitingFirst(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return [...withStatus(rows, 'pending').toReversed(), ...withStatus(rows, 'approved'), ...withStatus(rows, 'rejected')]
}

function byEvent(rows: readonly ApplicationRow[]): ApplicationRow[] {
  const waiting = waitingFirst(rows)
  const turns = new Map<number, number>()
  for (const { application } of waiting) if (!turns.has(application.eventId)) turns.set(application.eventId, turns.size)
  const turnOf = ({ application }: ApplicationRow) => turns.get(application.eventId) ?? 0
  return waiting.sort((one, other) => turnOf(one) - turnOf(other))
}

const orders: Record<SortOrder, (rows: readonly ApplicationRow[]) => ApplicationRow[]> = {
  waiting: waitingFirst,
  event: byEvent,
  newest: (rows) => [...rows],
  oldest: (rows) => rows.toReversed(),
  name: (rows) =>
    rows.toSorted(
      ({ application: one }, { application: other }) =>
        names.compare(one.lastName, other.lastName) || names.compare(one.firstName, other.firstName),
    ),
  starred: (rows) => [
    ...rows.filter(({ application }) => application.starred),
    ...rows.filter(({ application }) => !application.starred),
  ],
}

/** @param rows newest first, as `applicationsOf` returns them */
export function inOrder(rows: readonly ApplicationRow[], order: SortOrder): ApplicationRow[] {
  return orders[order](rows)
}

export function search(text: string): (application: ApplicationDocument) => boolean {
  const isFound = wordFinder(text)
  return ({ firstName, lastName, email, company, jobTitle }) => isFound(firstName, lastName, email, company, jobTitle)
}
