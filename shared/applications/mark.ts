import type { Ruling } from '../contract/problem.ts'
import type { EventDays } from '../time/event-time.ts'
import type { ApplicationStatus } from './decide.ts'
import {
  correctableUntil,
  dayOfArrival,
  firstArrival,
  isDayOf,
  presenceOf,
  withDay,
  type Presence,
} from './presence.ts'

/** `device` and `at` tell where and when it was written; null means that it is not known. */
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
  /**
   * Goes with `note` and says what its writer saw, null for nothing. Without it the new note just replaces the present
   * one.
   */
  readonly noteOver?: string | null | undefined
  readonly forgetNote?: string | undefined
}

/** Of earlier notes. */
const maxOtherNotes = 10

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
  return { note, otherNotes: [...stood, ...without(rest, before)].slice(0, maxOtherNotes) }
}

function without(notes: readonly OtherNote[], gone: string | null | undefined): readonly OtherNote[] {
  return notes.some(({ note }) => note === gone) ? notes.filter(({ note }) => note !== gone) : notes
}

export interface Marks extends Notes {
  readonly starred: boolean
  /** The Beacon was first seen at the event at this time (ISO); it is null until then. */
  readonly arrivedAt: string | null
  readonly presence?: Presence | undefined
  /** The Beacon has this post at the event; it is missing for none. */
  readonly post?: string | undefined
  /** Guests read changes since this time (ISO) that the organizer has not agreed to; it is missing for none. */
  readonly publicChanges?: { readonly at: string } | undefined
}

/** What is left out stays. */
export interface MarkWish extends NoteChange {
  /** This is the `at` of changes that the organizer agrees to. */
  readonly changesSeen?: string | undefined
  readonly starred?: boolean | undefined
  /** False says that the Beacon did not come on `day`, null takes the answer back. */
  readonly present?: boolean | null | undefined
  /**
   * Names a day of the event. Without it an arrival counts for the day it lies in, and `present: false` takes all of
   * them back.
   */
  readonly day?: string | undefined
  /** Goes with `present` (ISO). */
  readonly seenAt?: string | undefined
  /** Null takes it away. */
  readonly post?: string | null | undefined
}

/**
 * Only an approved Beacon can be seen at the event, or be given a post.
 * @param event with the server's time; missing where nothing is said about arrivals
 */
export function judgeMark(
  { status }: { readonly status: ApplicationStatus },
  { present, day, post }: MarkWish,
  event?: EventDays & { readonly now: Date },
): Ruling {
  if (post && status !== 'approved') return refused('Only an approved Beacon can be given a post.')
  if (present === undefined) return 'change'
  const isAnswer = present === true || (present === false && day !== undefined)
  if (isAnswer && status !== 'approved') return refused('Only an approved Beacon can be marked as here today.')
  if (event && event.now >= correctableUntil(event))
    return refused('You can correct who came until seven days after the event.')
  if (event && isAnswer && day !== undefined && !isDayOf(event, day))
    return refused('The event does not take place on this day.')
  return 'change'
}

const refused = (message: string): Ruling => ({ refused: 'not_allowed_now', message })

interface MarkedWhen {
  /** This is the server's time (ISO). It is null on a phone, whose clock decides nothing. */
  readonly now: string | null
  /** The earlier note was written then and there; null means that it is not known. */
  readonly stoodSince: Omit<OtherNote, 'note'>
  /** Only arrivals need it. */
  readonly event?: EventDays | undefined
}

/** Changes made since the organizer looked are not agreed to. */
export function marked(before: Marks, wish: MarkWish, { now, stoodSince, event }: MarkedWhen): Marks {
  const { note, otherNotes, starred, post, publicChanges } = before
  return {
    ...notesAfter({ note, otherNotes }, wish, stoodSince),
    ...arrivalsAfter(before, wish, now, event),
    starred: wish.starred ?? starred,
    post: wish.post === undefined ? post : wish.post?.trim() || undefined,
    publicChanges: publicChanges?.at === wish.changesSeen ? undefined : publicChanges,
  }
}

type Arrivals = Pick<Marks, 'arrivedAt' | 'presence'>

function arrivalsAfter(
  { arrivedAt, presence }: Marks,
  { present, day, seenAt }: MarkWish,
  now: string | null,
  event: EventDays | undefined,
): Arrivals {
  if (present === undefined) return { arrivedAt, presence }
  if (!present && day === undefined) return { arrivedAt: null, presence: undefined }
  const at = arrival(seenAt, now)
  if (!event || (present && at === null)) return { arrivedAt: present ? at : arrivedAt, presence }
  const on = day ?? dayOfArrival(event, at ?? '')
  const answer = present ? at : present === null ? undefined : null
  const answers = withDay(presenceOf({ arrivedAt, presence }, event), on, answer)
  return { arrivedAt: firstArrival(answers), presence: Object.keys(answers).length > 0 ? answers : undefined }
}

/** A phone's clock may run ahead: an arrival in the future counts as now. */
function arrival(seenAt: string | undefined, now: string | null): string | null {
  if (seenAt === undefined || now === null) return seenAt ?? now
  return Date.parse(seenAt) > Date.parse(now) ? now : new Date(seenAt).toISOString()
}
