import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { mayDecide, type Decision } from '#shared/applications/decide.ts'
import { todayIn } from '#shared/time/event-time.ts'
import { markOf, type Entry, type Mark, decideApplication, type ApplicationRow } from '../../sync/index.ts'
import type { ApplicationMark } from '../../ui/status-mark.tsx'

export const dash = '–'

export function fullName(application: Pick<ApplicationDocument, 'firstName' | 'lastName'>): string {
  return `${application.firstName} ${application.lastName}`.trim()
}

/** The first letters of two names (specification, section 5). */
export function initialsOf(application: Pick<ApplicationDocument, 'firstName' | 'lastName'>): string {
  return [...application.firstName]
    .slice(0, 1)
    .concat([...application.lastName].slice(0, 1))
    .join('')
    .toUpperCase()
}

/** 'Community Lead at Northside Labs', whichever parts exist; null without both. */
export function workLine({ jobTitle, company }: Pick<ApplicationDocument, 'jobTitle' | 'company'>): string | null {
  if (jobTitle && company) return `${jobTitle} at ${company}`
  return jobTitle ?? company
}

/** What the status mark shows: a withdrawn application is stored as rejected. */
export function shownStatus(application: Pick<ApplicationDocument, 'status' | 'withdrawnAt'>): ApplicationMark {
  return application.withdrawnAt === null ? application.status : 'withdrawn'
}

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

export const decisionWord = (status: string): string => (status === 'approved' ? 'Approved' : 'Rejected')

/** What the organizer may decide now, the likely one last: it stands under the thumb. Nothing for a withdrawn one. */
export function possibleDecisions(application: Pick<ApplicationDocument, 'status' | 'withdrawnAt'>): Decision[] {
  return (['rejected', 'approved'] as const).filter((to) => mayDecide(application, to))
}

/** The queued decision that says most: the refused one, which what waits behind it only waits for; else the newest. */
export function decisionEntry({ entries }: Pick<ApplicationRow, 'entries'>): Entry | null {
  if (entries.length === 0) return null
  const decisions = entries.filter(({ mutation }) => mutation === decideApplication.name)
  return decisions.findLast(({ state }) => state === 'parked') ?? decisions.at(-1) ?? null
}

/** Where the newest decision is on its way; a note or a star on its way says nothing about it. */
export function decisionMark(row: Pick<ApplicationRow, 'entries'>): Mark {
  const entry = decisionEntry(row)
  return entry ? markOf(entry) : 'confirmed'
}

/**
 * Whether the newest decision can be taken back: it shows, and it is not on its way at this moment. One that was tried
 * without an answer may have arrived; taking it back then asks the server to forbid it, which tells when it is too late.
 */
export function isUndoable(row: Pick<ApplicationRow, 'entries'>): boolean {
  const entry = decisionEntry(row)
  return entry !== null && (entry.state === 'held' || entry.state === 'queued') && !entry.discarding
}

/** Whether an approved Beacon was seen today, by the clock of the venue. */
export function isHere(
  { status, arrivedAt }: Pick<ApplicationDocument, 'status' | 'arrivedAt'>,
  timeZone: string,
  now: Date,
): boolean {
  return (
    status === 'approved' && arrivedAt !== null && todayIn(timeZone, new Date(arrivedAt)) === todayIn(timeZone, now)
  )
}

/** What a list can be narrowed to; `all` shows everyone, `here` who was seen today. */
export type StatusFilter = 'all' | ApplicationDocument['status'] | 'here'

/** `waiting` puts those who wait for a decision first, the longest wait before the others; decided ones follow, newest first. */
export type SortOrder = 'waiting' | 'newest' | 'oldest' | 'name' | 'starred'

const names = new Intl.Collator('en-US', { sensitivity: 'base' })

const withStatus = (rows: readonly ApplicationRow[], status: ApplicationDocument['status']) =>
  rows.filter(({ application }) => application.status === status)

const orders: Record<SortOrder, (rows: readonly ApplicationRow[]) => ApplicationRow[]> = {
  waiting: (rows) => [
    ...withStatus(rows, 'pending').toReversed(),
    ...withStatus(rows, 'approved'),
    ...withStatus(rows, 'rejected'),
  ],
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

/** Applications in an order of the list. @param rows newest first, as `useApplications` has them */
export function inOrder(rows: readonly ApplicationRow[], order: SortOrder): ApplicationRow[] {
  return orders[order](rows)
}

/** Finds applicants by name, e-mail, company or job title, in any order of words; without a word it finds all. */
export function search(text: string): (application: ApplicationDocument) => boolean {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean)
  return ({ firstName, lastName, email, company, jobTitle }) => {
    if (words.length === 0) return true
    const haystack = `${firstName} ${lastName} ${email} ${company ?? ''} ${jobTitle ?? ''}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  }
}
