import type { Ruling } from '../contract/ruling.ts'
import type { ApplicationStatus } from './application-status.ts'
import { notesAfter, type NoteChange, type Notes, type OtherNote } from './notes.ts'

/** What an organizer keeps about an application for themselves. */
export interface Marks extends Notes {
  readonly starred: boolean
  /** When the Beacon was seen at the event (ISO); null while they were not. */
  readonly arrivedAt: string | null
  /** What guests read that was not approved, and since when (ISO); missing when nothing is. */
  readonly publicChanges?: { readonly at: string } | undefined
}

/** A change of the marks, as its organizer made it: what is left out stays. */
export interface MarkWish extends NoteChange {
  /** The `at` of the changes of what guests read that the organizer agrees to. */
  readonly changesSeen?: string | undefined
  readonly starred?: boolean | undefined
  readonly present?: boolean | undefined
  /** When the Beacon was seen, with `present` (ISO). */
  readonly seenAt?: string | undefined
}

/** What becomes of a change of the marks: only an approved Beacon can be seen at the event. */
export function judgeMark({ status }: { readonly status: ApplicationStatus }, { present }: MarkWish): Ruling {
  if (present !== true || status === 'approved') return 'change'
  return { refused: 'not_allowed_now', message: 'Only an approved Beacon can be marked as here today.' }
}

/**
 * The marks after a change. What was changed once more since the organizer looked is not agreed to.
 * @param now the server's time (ISO); null on a phone, whose clock decides nothing
 * @param stoodSince when and on which device the note that stood was written; null where nobody knows
 */
export function marked(
  { note, otherNotes, starred, arrivedAt, publicChanges }: Marks,
  wish: MarkWish,
  { now, stoodSince }: { readonly now: string | null; readonly stoodSince: Omit<OtherNote, 'note'> },
): Marks {
  return {
    ...notesAfter({ note, otherNotes }, wish, stoodSince),
    starred: wish.starred ?? starred,
    arrivedAt: wish.present === undefined ? arrivedAt : wish.present ? arrival(wish.seenAt, now) : null,
    publicChanges: publicChanges?.at === wish.changesSeen ? undefined : publicChanges,
  }
}

/** A phone whose clock runs ahead has seen nobody in the future. */
function arrival(seenAt: string | undefined, now: string | null): string | null {
  if (seenAt === undefined || now === null) return seenAt ?? now
  return Date.parse(seenAt) > Date.parse(now) ? now : seenAt
}
