import type { Knex } from 'knex'
import { mayMove, moveLabel } from '#shared/domain/application-status.ts'
import type { ApplicationRow, EventRow } from '../db/tables.ts'
import { publicEventChange } from '../events/event-changes.ts'
import { countApproved } from '../events/event-store.ts'
import { signedIn } from '../accounts/signed-in.ts'
import type { Handler, HandlerCall } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { cancelJob, insertJob } from '../jobs/job-store.ts'
import { applicationChange, publicBeaconChange } from './application-changes.ts'
import { presentApplication } from './application-presenter.ts'
import { decidingDevice, findApplicationForChange, findEventToDecideOn, recordDecision } from './application-store.ts'

/** A decision's mail waits this long, so that a second thought can stop it (product decision). */
const mailHoldMs = 60_000

/**
 * Approves, rejects or revokes. A decision that is already made is a success that changes nothing; one that was made on
 * an older decision is a conflict that shows what was decided, when and on which device.
 */
export const decideApplication: Handler<'decideApplication'> = async (call) => {
  const { db, now } = call
  const { status, expectedDecisionNumber } = call.body
  const { event, row } = await lock(call)
  const current = async () => presentApplication(row, await decidingDevice(db, row))
  if (row.status === status) return await current()
  if (row.withdrawn_at !== null) {
    throw new ProblemError('not_allowed_now', 'The applicant has withdrawn this application.', { current: await current() })
  }
  if (expectedDecisionNumber !== undefined && expectedDecisionNumber !== row.decision_number) {
    throw new ProblemError('conflict', `This application was ${row.status} meanwhile.`, { current: await current() })
  }
  if (!mayMove(row.status, status)) {
    throw new ProblemError('not_allowed_now', `${moveLabel(row.status, status)} is not possible now.`, { current: await current() })
  }

  const decided = await recordDecision(db, row, { status, decidedBy: event.organizer_id, device: call.device, now })
  const application = { row: decided, decidedOn: call.device?.name ?? null }
  call.publish([applicationChange(event.organizer_id, application)])
  if (row.status === 'approved' || status === 'approved') call.publish([publicBeaconChange(application)])
  // Only where their number is limited does a decision open or close applications.
  if (event.max_beacons !== null) call.publish([publicEventChange(event, await countApproved(db, event.id))])
  await queueMail(db, row, decided, now)
  return presentApplication(decided, application.decidedOn)
}

/** The event first, then the application: deleting an event locks in the same order. */
async function lock(call: HandlerCall<'decideApplication'>): Promise<{ event: EventRow; row: ApplicationRow }> {
  const { userId } = signedIn(call)
  const event = await findEventToDecideOn(call.db, call.params.beaconId)
  const row = event?.organizer_id === userId ? await findApplicationForChange(call.db, call.params.beaconId) : undefined
  if (!event || !row) throw new ProblemError('not_found', 'Application not found')
  return { event, row }
}

const mailKey = (row: ApplicationRow) => `decision-mail:${row.id}:${row.decision_number}`

/**
 * A mail that was still held is cancelled: the applicant never heard of that decision, so the next mail starts from what
 * they knew before it. `knownStatus` equal to `toStatus` means that there is no news for them.
 */
async function queueMail(trx: Knex, before: ApplicationRow, decided: ApplicationRow, now: Date): Promise<void> {
  const unheard = before.decision_number > 0 ? await cancelJob(trx, mailKey(before)) : undefined
  await insertJob(trx, {
    kind: 'decision-mail',
    key: mailKey(decided),
    payload: {
      applicationId: decided.id,
      decisionNumber: decided.decision_number,
      knownStatus: unheard?.['knownStatus'] ?? before.status,
      toStatus: decided.status,
    },
    runAt: new Date(now.getTime() + mailHoldMs),
  })
}
