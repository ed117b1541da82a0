import { notesAfter } from '#shared/applications/notes.ts'
import { signedIn } from '../calls/signed-in.ts'
import type { ApplicationRow } from '../db/tables.ts'
import type { Handler, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
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
    ...notesOf(row, call),
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
  if (isNew) call.touch({ what: 'application', id: row.id, organizerId: userId })
  return presentApplication(application)
}

/** The notes after a call, and when and where the newest was written. */
function notesOf(
  row: ApplicationRow,
  { body, device, now }: Pick<HandlerCall<'markApplication'>, 'body' | 'device' | 'now'>,
): Pick<Marks, 'note' | 'note_at' | 'note_device' | 'other_notes'> {
  const stoodSince = { at: row.note_at?.toISOString() ?? null, device: row.note_device }
  const { note, otherNotes } = notesAfter({ note: row.note, otherNotes: row.other_notes }, body, stoodSince)
  const written = note === row.note ? row : { note_at: now, note_device: device?.name ?? null }
  return { note, note_at: written.note_at, note_device: written.note_device, other_notes: otherNotes }
}

/** A phone whose clock runs ahead has seen nobody in the future. */
function arrival(seenAt: string | undefined, now: Date): Date {
  const seen = seenAt === undefined ? now : new Date(seenAt)
  return seen > now ? now : seen
}
