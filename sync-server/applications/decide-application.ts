import type { Knex } from 'knex'
import { mayMove, moveLabel } from '#shared/domain/application-status.ts'
import type { ApplicationRow } from '../db/tables.ts'
import { publicEventChange } from '../events/event-changes.ts'
import { countApproved, findEvent } from '../events/event-store.ts'
import { signedIn } from '../accounts/signed-in.ts'
import type { Handler } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { cancelJob, insertJob } from '../jobs/job-store.ts'
import type { Change } from '../replication/change-feed.ts'
import { applicationChange, publicBeaconChange } from './application-changes.ts'
import { presentApplication } from './application-presenter.ts'
import { decidingDevice, findToDecideOn, recordDecision } from './application-store.ts'

/** A decision's mail waits this long, so that a second thought can stop it (product decision). */
const mailHoldMs = 60_000

/**
 * Approves, rejects or revokes. A decision that is already made is a success that changes nothing; one that was made on
 * an older decision is a conflict that shows what was decided, when and on which device.
 */
export const decideApplication: Handler<'decideApplication'> = async (call) => {
  const { db, now } = call
  const { status, expectedDecisionNumber } = call.body
  const { userId } = signedIn(call)
  const found = await findToDecideOn(db, call.params.beaconId)
  if (found?.event.organizerId !== userId) throw new ProblemError('not_found', 'Application not found')
  const { event, row } = found
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

  const decided = await recordDecision(db, row, { status, decidedBy: userId, device: call.device, now })
  const application = { row: decided, decidedOn: call.device?.name ?? null }
  call.publish([applicationChange(userId, application)])
  if (row.status === 'approved' || status === 'approved') call.publish([publicBeaconChange(application)])
  // Only where their number is limited does a decision open or close applications.
  if (event.maxBeacons !== null) call.publish(await publicEventChanges(db, event.id))
  await queueMail(db, row, decided, now)
  return presentApplication(decided, application.decidedOn)
}

async function publicEventChanges(trx: Knex, eventId: number): Promise<Change[]> {
  const event = await findEvent(trx, eventId)
  return event ? [publicEventChange(event, await countApproved(trx, eventId))] : []
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
