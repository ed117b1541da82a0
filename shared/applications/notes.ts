/** A private note that stood before another one; `device` and `at` are those of its writing, null where nobody knows. */
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
 * @param stoodSince when and on which device the note that stood was written; null where nobody knows
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
