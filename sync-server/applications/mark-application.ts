import { signedIn } from '../accounts/signed-in.ts'
import type { Handler } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { applicationChange } from './application-changes.ts'
import { presentApplication } from './application-presenter.ts'
import { findToDecideOn, updateMarks, withDecisions, type Marks } from './application-store.ts'

/**
 * Writes the organizer's own marks. Each field's newest word stands: they are one person's notes, and nothing follows from
 * them. A mark that is already so succeeds and changes nothing.
 */
export const markApplication: Handler<'markApplication'> = async (call) => {
  const { userId } = signedIn(call)
  const found = (await findToDecideOn(call.db, [call.params.beaconId])).get(call.params.beaconId)
  // A stranger's application is refused exactly like one that does not exist.
  if (found?.event.organizerId !== userId) throw new ProblemError('not_found', 'Application not found')
  const { row } = found
  const { note, starred, present, seenAt } = call.body
  if (present && row.status !== 'approved') {
    const [current] = await withDecisions(call.db, [row])
    const shown = current && { current: presentApplication(current) }
    throw new ProblemError('not_allowed_now', 'Only an approved Beacon can be marked as here today.', shown)
  }
  const marks: Marks = {
    note: note === undefined ? row.note : note || null,
    starred: starred ?? row.starred,
    arrived_at: present === undefined ? row.arrived_at : present ? arrival(seenAt, call.now) : null,
  }
  const isNew =
    marks.note !== row.note ||
    marks.starred !== row.starred ||
    marks.arrived_at?.getTime() !== row.arrived_at?.getTime()
  if (isNew) await updateMarks(call.db, row.id, marks)
  const [application] = await withDecisions(call.db, [{ ...row, ...marks }])
  if (!application) throw new Error('An application vanished while it was locked')
  if (isNew) call.publish([applicationChange(userId, application)])
  return presentApplication(application)
}

/** A phone whose clock runs ahead has seen nobody in the future. */
function arrival(seenAt: string | undefined, now: Date): Date {
  const seen = seenAt === undefined ? now : new Date(seenAt)
  return seen > now ? now : seen
}
