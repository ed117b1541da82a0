import type { Ruling } from '../contract/problem.ts'
import type { ApplicationStatus } from './decide.ts'

/** `device` and `at` of its writing, null where unknown. */
export interface OtherNote {
  note: string
  at: string | null
  device: string | null
}

export interface Notes {
  readonly note: string | null
  readonly otherNotes: readonly OtherNote[]
}

export interface NoteChange {
  /** Empty text removes the note. */
  readonly note?: string | undefined
  /** With `note`: what its writer saw, null for none. Without it the new note just replaces the present one. */
  readonly noteOver?: string | null | undefined
  readonly forgetNote?: string | undefined
}

/** Of earlier notes. */
const mostOtherNotes = 10

/**
 * The earlier note is kept when its successor's writer had not seen it, or brought the successor back from
 * `otherNotes`.
 * @param stoodSince of the earlier note's writing; null where unknown
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

export interface Marks extends Notes {
  readonly starred: boolean
  /** When the Beacon was seen at the event (ISO); null while they were not. */
  readonly arrivedAt: string | null
  /** What guests read unapproved, and since when (ISO); missing for none. */
  readonly publicChanges?: { readonly at: string } | undefined
}

/** What is left out stays. */
export interface MarkWish extends NoteChange {
  /** The `at` of changes that the organizer agrees to. */
  readonly changesSeen?: string | undefined
  readonly starred?: boolean | undefined
  readonly present?: boolean | undefined
  /** With `present` (ISO). */
  readonly seenAt?: string | undefined
}

/** Only an approved Beacon can be seen at the event. */
export function judgeMark({ status }: { readonly status: ApplicationStatus }, { present }: MarkWish): Ruling {
  if (present !== true || status === 'approved') return 'change'
  return { refused: 'not_allowed_now', message: 'Only an approved Beacon can be marked as here today.' }
}

/**
 * Changes made since the organizer looked are not agreed to.
 * @param now the server's time (ISO); null on a phone, whose clock decides nothing
 * @param stoodSince of the earlier note's writing; null where unknown
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

/** A phone's clock may run ahead: an arrival in the future counts as now. */
function arrival(seenAt: string | undefined, now: string | null): string | null {
  if (seenAt === undefined || now === null) return seenAt ?? now
  return Date.parse(seenAt) > Date.parse(now) ? now : seenAt
}
