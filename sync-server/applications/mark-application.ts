import { signedIn } from '../accounts/signed-in.ts'
import type { ApplicationRow } from '../db/tables.ts'
import type { Handler, HandlerCall } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { applicationChange } from './application-changes.ts'
import { presentApplication } from './application-presenter.ts'
import { findMeant, updateMarks, withDecisions, type Marks } from './application-store.ts'

/**
 * Writes the organizer's own marks. Each field's newest word stands: they are one person's notes, and nothing follows from
 * them. A note that its writer had not seen is kept beside the newest one. A mark that is already so succeeds and changes
 * nothing.
 */
export const markApplication: Handler<'markApplication'> = async (call) => {
  const { userId } = signedIn(call)
  const [found] = await findMeant(call.db, userId, [{ id: call.params.beaconId, origin: call.body.origin }])
  // A stranger's application is refused exactly like one that does not exist.
  if (!found) throw new ProblemError('not_found', 'Application not found')
  const { row } = found
  const { starred, present, seenAt, changesSeen } = call.body
  if (present && row.status !== 'approved') {
    const [current] = await withDecisions(call.db, [row])
    const shown = current && { current: presentApplication(current) }
    throw new ProblemError('not_allowed_now', 'Only an approved Beacon can be marked as here today.', shown)
  }
  const marks: Marks = {
    ...notesAfter(row, call),
    // What was changed once more since the organizer looked has not been seen.
    approved_as: changesSeen !== undefined && changesSeen === row.approved_as?.changedAt ? null : row.approved_as,
    starred: starred ?? row.starred,
    arrived_at: present === undefined ? row.arrived_at : present ? arrival(seenAt, call.now) : null,
  }
  const isNew =
    marks.note !== row.note ||
    marks.other_notes !== row.other_notes ||
    marks.approved_as !== row.approved_as ||
    marks.starred !== row.starred ||
    marks.arrived_at?.getTime() !== row.arrived_at?.getTime()
  if (isNew) await updateMarks(call.db, row.id, marks)
  const [application] = await withDecisions(call.db, [{ ...row, ...marks }])
  if (!application) throw new Error('An application vanished while it was locked')
  if (isNew) call.publish([applicationChange(userId, application)])
  return presentApplication(application)
}

const mostOtherNotes = 10

type Notes = Pick<Marks, 'note' | 'note_at' | 'note_device' | 'other_notes'>

/**
 * The notes after a call. The one that stood goes beside the new one when its writer had not seen it, or when the new one is
 * brought back from there, which changes places with it; an ordinary edit leaves nothing behind. An app that does not say
 * what its writer saw is taken at its word.
 */
function notesAfter(row: ApplicationRow, call: Pick<HandlerCall<'markApplication'>, 'body' | 'device' | 'now'>): Notes {
  const { noteOver, forgetNote } = call.body
  const { note_at: at, note_device: device } = row
  const others = row.other_notes.filter(({ note }) => note !== forgetNote)
  const unforgotten = others.length === row.other_notes.length ? row.other_notes : others
  const note = call.body.note === undefined ? row.note : call.body.note || null
  if (note === row.note) return { note, note_at: at, note_device: device, other_notes: unforgotten }
  const rest = unforgotten.filter((other) => other.note !== note)
  const isBroughtBack = rest.length < unforgotten.length
  const wasUnseen = noteOver !== undefined && (noteOver?.trim() || null) !== row.note
  const stood = row.note === null ? [] : [{ note: row.note, at: at?.toISOString() ?? null, device }]
  const kept = isBroughtBack || wasUnseen ? [...stood, ...rest.filter((other) => other.note !== row.note)] : unforgotten
  return {
    note,
    note_at: call.now,
    note_device: call.device?.name ?? null,
    other_notes: kept.slice(0, mostOtherNotes),
  }
}

/** A phone whose clock runs ahead has seen nobody in the future. */
function arrival(seenAt: string | undefined, now: Date): Date {
  const seen = seenAt === undefined ? now : new Date(seenAt)
  return seen > now ? now : seen
}
