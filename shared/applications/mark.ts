import type { Ruling } from '../contract/problem.ts'
import type { ApplicationStatus } from './decide.ts'

/** A private note that stood before another one; `device` and `at` are those of its writing, null where unknown. */
export interface OtherNote {
  note: string
  at: string | null
  device: string | null
}

export interface Notes {
  readonly note: string | null
  /** Newest first. */
  readonly otherNotes: readonly OtherNote[]
}

/** What an organizer does with the notes about an applicant. */
export interface NoteChange {
  /** What they wrote; empty text removes the note. */
  readonly note?: string | undefined
  /** With `note`: what its writer saw in its place, null for none. An app that does not say it is taken at its word. */
  readonly noteOver?: string | null | undefined
  /** One of the other notes, which is removed. */
  readonly forgetNote?: string | undefined
}

/** So many notes are kept beside the newest one. */
const mostOtherNotes = 10

/**
 * The notes after a change. The one that stood goes beside the new one when its writer had not seen it, or when the new one is
 * brought back from there, which changes places with it; an ordinary edit leaves nothing behind.
 * @param stoodSince when and on which device the note that stood was written; null where unknown
 * @returns the same list where nothing in it changed
 */
export function notesAfter(
  { note: before, otherNotes }: Notes,
  { note: given, noteOver, forgetNote }: NoteChange,
  stoodSince: Omit<OtherNote, 'note'>,
): Notes {
  const unforgotten = without(otherNotes, forgetNote)
  const note = given === undefined ? before : given.trim() || null
  if (note === before) return { note, otherNotes: unforgotten }
  const rest = without(unforgotten, note)
  const wasUnseen = noteOver !== undefined && (noteOver?.trim() || null) !== before
  if (rest === unforgotten && !wasUnseen) return { note, otherNotes: unforgotten }
  const stood = before === null ? [] : [{ note: before, ...stoodSince }]
  return { note, otherNotes: [...stood, ...without(rest, before)].slice(0, mostOtherNotes) }
}

function without(notes: readonly OtherNote[], gone: string | null | undefined): readonly OtherNote[] {
  return notes.some(({ note }) => note === gone) ? notes.filter(({ note }) => note !== gone) : notes
}

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
 * @param stoodSince when and on which device the note that stood was written; null where unknown
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

/** A phone whose clock runs ahead reports an arrival in the future: it counts as now. */
function arrival(seenAt: string | undefined, now: string | null): string | null {
  if (seenAt === undefined || now === null) return seenAt ?? now
  return Date.parse(seenAt) > Date.parse(now) ? now : seenAt
}
