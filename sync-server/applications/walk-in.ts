import { termsVersion } from '#shared/applications/application.ts'
import { arrivedBy, walkInFields } from '#shared/applications/walk-in.ts'
import { decided } from '#shared/applications/decide.ts'
import { stateOf } from '#shared/record/basis.ts'
import { newId } from '#shared/record/new-id.ts'
import { signedIn } from '../calls/access.ts'
import type { Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { writeNow } from '../calls/record-calls.ts'
import { isUsedId } from '../db/used-ids.ts'
import { requireOwnerForChange } from '../events/event-policy.ts'
import { decisionMails } from './application-decision.ts'
import { presentApplication } from './application-presenter.ts'
import {
  cleanUpAgain,
  decisionsWriting,
  findApplied,
  findToDecideOn,
  insertApplication,
  listDecided,
} from './application-store.ts'
import { hashToken, tokenOf } from './application-token.ts'

const dayMs = 86_400_000

const vanished = () => new Error('An application vanished while it was written')

const idTaken = () => new ProblemError('already_exists', 'Another application has this id.')

/** The application is approved and here at once. The organizer's press is its decision. */
export const addWalkIn: Make<'addWalkIn'> = async (call) => {
  const { db, now, params, device } = call
  const { userId, organizerId, role } = signedIn(call)
  const event = await requireOwnerForChange(db, call.caller, params.id)
  const { id = newId(), seenAt, company, email = '', ...name } = call.body
  const tokenHash = hashToken(await tokenOf(db, id, call.key))
  const present = await db('applications').where({ id }).first()
  if (present && present.statusTokenHash !== tokenHash) throw idTaken()
  if (present) return await shown(db, id)
  const applied = email === '' ? undefined : await findApplied(db, event.id, email)
  if (applied)
    throw new ProblemError(
      'duplicate_application',
      role === 'door'
        ? 'There is an application with this address. Ask the organizer about it.'
        : `${applied.firstName} ${applied.lastName} has applied with this address. Approve them in the list.`,
    )
  await call.spend('walk-in', `event:${event.id}`)
  const fields = walkInFields({ ...name, company: company || null, email })
  const row = await insertApplication(db, {
    id,
    eventId: event.id,
    fields,
    cameFrom: null,
    tokenHash,
    termsVersion,
    sentLate: false,
    walkedIn: true,
    now,
  })
  if (!row || (await isUsedId(db, 'application', id))) throw idTaken()
  const before = (await findToDecideOn(db, [id])).get(id)
  if (!before) throw vanished()
  const { status, basis, decisionNumber } = decided(row, 'approved', stateOf(call.key ?? ''))
  const decision = {
    before,
    status,
    basis,
    decisionNumber,
    decidedBy: userId,
    device,
    now,
    decidedDay: Math.floor(now.getTime() / dayMs),
    decidedTimes: 1,
    call: { again: call.again, body: { status: 'approved' as const } },
  }
  if (event.archivedFor !== null || event.purgedFor !== null) await cleanUpAgain(db, [event.id])
  await writeNow(db, decisionsWriting([decision], await decisionMails(db, [decision])))
  await db('applications')
    .where({ id })
    .update({ arrivedAt: arrivedBy(new Date(seenAt), now) })
  call.touch({ what: 'application', id, organizerId })
  return await shown(db, id)
}

async function shown(db: Parameters<typeof listDecided>[0], id: number) {
  const [application] = await listDecided(db, [id])
  if (!application) throw vanished()
  return presentApplication(application)
}
