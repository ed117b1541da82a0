import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { isExpected, saysComing } from '#shared/applications/coming.ts'
import { mayDecide, type Decision } from '#shared/applications/decide.ts'
import { type Entry, type ApplicationRow, mutations, describeEntry, type EventRow } from '../../sync/index.ts'
import { sortedByNames, wordFinder } from '#shared/text/matching.ts'
import type { ShownStatus } from '../../ui/status-badge.tsx'

export const dash = '–'

export function fullName(application: Pick<ApplicationDocument, 'firstName' | 'lastName'>): string {
  return `${application.firstName} ${application.lastName}`.trim()
}

/** Sorts as a list reads that shows first names first. */
export function byFullName(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return sortedByNames(rows, ({ application }) => [fullName(application)])
}

/** Writes 'Community Lead at Northside Labs', or the part that exists; it is null without both. */
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

/**
 * The likely decision comes last, under the thumb. A withdrawn application has none. An approval is not revoked after
 * the event, unless guests read what the organizer has not agreed to.
 */
export function possibleDecisions(
  application: Pick<ApplicationDocument, 'status' | 'withdrawnAt' | 'publicChanges'>,
  isOver: boolean,
): Decision[] {
  if (isOver && application.status === 'approved' && !application.publicChanges) return []
  return (['rejected', 'approved'] as const).filter((to) => mayDecide(application, to))
}

/** Finds the refused decision, since later ones only wait for it, or else the newest. */
export function decisionEntry({ entries }: Pick<ApplicationRow, 'entries'>): Entry | null {
  if (entries.length === 0) return null
  const decisions = entries.filter(({ mutation }) => mutation === mutations.decideApplication.name)
  return decisions.findLast(({ state }) => state === 'parked') ?? decisions.at(-1) ?? null
}

/** The state of the newest decision: queued notes and stars do not count. */
export function decisionSyncState(row: Pick<ApplicationRow, 'entries'>): EventRow['syncState'] {
  const entry = decisionEntry(row)
  return entry ? describeEntry(entry).syncState : 'confirmed'
}

/**
 * It is true while the newest decision shows and is not being sent. One that was tried without an answer may have
 * arrived: undoing it asks the server to forbid it.
 */
export function isUndoable(row: Pick<ApplicationRow, 'entries'>): boolean {
  const entry = decisionEntry(row)
  return entry !== null && (entry.state === 'held' || entry.state === 'queued') && !entry.discarding
}

/** What Beacons say before an event, and had said after it. */
export const comingWords = (isOver: boolean) =>
  isOver ? { yes: 'Said yes', no: 'Couldn’t come' } : { yes: 'Will be there', no: 'Can’t come' }

/** Writes '4 approved Beacons and 1 who can’t come'. */
export function beaconsLine(approved: readonly ApplicationRow[], isOver: boolean): string {
  const expected = approved.filter(({ application }) => isExpected(application)).length
  const absent = approved.length - expected
  const line = `${expected} approved ${expected === 1 ? 'Beacon' : 'Beacons'}`
  return absent === 0 ? line : `${line} and ${absent} who ${comingWords(isOver).no.toLowerCase()}`
}

/** Counts those who came as a yes. It is undefined before the first has answered or come. */
export function comingLine(rows: readonly ApplicationRow[], isOver: boolean): string | undefined {
  const said = withStatus(rows, 'approved').map(({ application }) => saysComing(application))
  const silent = said.filter((coming) => coming === undefined).length
  if (silent === said.length) return undefined
  const [yes, no] = [true, false].map((wish) => said.filter((coming) => coming === wish).length)
  const words = comingWords(isOver)
  return `${isOver ? 'Said yes or came' : words.yes}: ${yes} · No answer: ${silent} · ${words.no}: ${no}`
}

/** `here` keeps those who were seen today, or at the event once it is over. */
type StatusFilter = 'all' | ApplicationDocument['status'] | 'here'

/** A list of several events is narrowed to one of them, not to a status. */
export type ListFilter = StatusFilter | `event ${number}`

export const eventFilter = (eventId: number): ListFilter => `event ${eventId}`

/**
 * `waiting` puts pending ones first, the longest wait first, then decided ones, newest first. `event` puts the longest
 * waiting event first.
 */
export type SortOrder = 'waiting' | 'newest' | 'oldest' | 'name' | 'starred' | 'event'

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
  name: (rows) => sortedByNames(rows, ({ application: { lastName, firstName } }) => [lastName, firstName]),
  starred: (rows) => [
    ...rows.filter(({ application }) => application.starred),
    ...rows.filter(({ application }) => !application.starred),
  ],
}

/**
 * @param rows newest first, as `applicationsOf` returns them
 * @param leading events whose people come first where the order is about waiting
 */
export function inOrder(
  rows: readonly ApplicationRow[],
  order: SortOrder,
  leading: readonly number[] = [],
): ApplicationRow[] {
  const ordered = orders[order](rows)
  if (leading.length === 0 || (order !== 'waiting' && order !== 'event')) return ordered
  const rankOf = ({ application: { eventId } }: ApplicationRow) => {
    const place = leading.indexOf(eventId)
    return place === -1 ? leading.length : place
  }
  return ordered.sort((one, other) => rankOf(one) - rankOf(other))
}

/**
 * A review goes on to the next one who waits after this place in the list, else to the first before it.
 * @param place -1 for the first of all
 */
export function nextToReview(
  ids: readonly number[],
  byId: ReadonlyMap<number, ApplicationRow>,
  place: number,
): number | undefined {
  return [...ids.slice(place + 1), ...ids.slice(0, Math.max(0, place))].find((id) => {
    const row = byId.get(id)
    return row?.application.status === 'pending' && decisionSyncState(row) !== 'needs-attention'
  })
}

export function search(text: string): (application: ApplicationDocument) => boolean {
  const isFound = wordFinder(text)
  return ({ firstName, lastName, email, company, jobTitle, topics }) =>
    isFound(firstName, lastName, email, company, jobTitle, topics)
}
