import type { ApplicationDocument } from '#shared/api/replication.ts'
import { mayMove } from '#shared/domain/application-status.ts'
import type { Decision } from '#shared/domain/application-status.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
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

/** What the organizer may decide now, the likely one last: it stands under the thumb. Nothing for a withdrawn one. */
export function possibleDecisions(application: Pick<ApplicationDocument, 'status' | 'withdrawnAt'>): Decision[] {
  if (application.withdrawnAt !== null) return []
  return (['rejected', 'approved'] as const).filter((to) => mayMove(application.status, to))
}

/**
 * Whether the newest decision can be taken back: it shows, and it is not on its way at this moment. One that was tried
 * without an answer may have arrived; taking it back then asks the server to forbid it, which tells when it is too late.
 */
export function isUndoable(row: ApplicationRow): boolean {
  const { entry, mark } = row
  return (
    mark === 'on-this-phone' &&
    entry !== null &&
    (entry.state === 'held' || entry.state === 'queued') &&
    !entry.discarding
  )
}

/** What a list can be narrowed to; `all` shows everyone. */
export type StatusFilter = 'all' | ApplicationDocument['status']

/** Whether someone is found by a text: name, e-mail, company or job title, in any order of words. */
export function isFound(application: ApplicationDocument, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return true
  const { firstName, lastName, email, company, jobTitle } = application
  const haystack = `${firstName} ${lastName} ${email} ${company ?? ''} ${jobTitle ?? ''}`.toLowerCase()
  return words.every((word) => haystack.includes(word))
}
