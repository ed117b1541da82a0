import { stateOf } from '#shared/record/basis.ts'
import { signedIn } from '../calls/access.ts'
import type { Make, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { queueMails, type NewMail } from '../mail/mail-store.ts'
import { mailKey } from './application-decision.ts'
import { presentApplication } from './application-presenter.ts'
import { findApplied, findToDecideOn, mailHoldMs, type DecidedApplication } from './application-store.ts'
import { acknowledgementOf } from './mails/acknowledgement.ts'
import { rewriteEmail } from './own-application-store.ts'

type Call = HandlerCall<'correctEmail'>

/**
 * The organizer corrects an address that was mistyped. Waiting mails take the new address, and the latest one is sent
 * again.
 */
export const correctEmail: Make<'correctEmail'> = async (call) => {
  const { db, params, body } = call
  const { organizerId } = signedIn(call)
  const found = (await findToDecideOn(db, [params.beaconId], organizerId)).get(params.beaconId)
  if (!found) throw new ProblemError('not_found', 'Application not found')
  const { row, decisions } = found
  if (row.email === body.email) return presentApplication(found)
  const corrected = await rewriteEmail(db, row.id, body.email)
  if (!corrected) throw await takenBy(call, found)
  if (row.email.toLowerCase() !== body.email.toLowerCase()) await sendAgain(call, row, corrected)
  call.touch({ what: 'application', id: row.id, organizerId })
  return presentApplication({ row: corrected, decisions })
}

async function takenBy(call: Call, found: DecidedApplication): Promise<ProblemError> {
  const other = await findApplied(call.db, found.row.eventId, call.body.email)
  const name = other ? `${other.firstName} ${other.lastName}`.trim() : 'Another applicant'
  const current = presentApplication(found)
  return new ProblemError('duplicate_application', `${name} has applied for this event with this address.`, { current })
}

/** Each correction has its own key, so that a repeated call sends nothing twice. */
async function sendAgain(call: Call, before: ApplicationRow, row: ApplicationRow): Promise<void> {
  const { db, now, again } = call
  const mails = await db('mails')
    .where({ applicationId: row.id })
    .whereIn('kind', ['acknowledgement', 'decision'])
    .whereNot({ state: 'cancelled' })
    .orderBy('id')
  const next = await latestNews(call, before, row, mails)
  const key = stateOf(call.key ?? '')
  await queueMails(
    db,
    next.map((mail) => ({
      ...mail,
      key: `${mail.key}:corrected:${key}`,
      sendAt: new Date(now.getTime() + mailHoldMs),
      mayHaveLeft: again,
    })),
  )
}

const isWaiting = ({ state }: MailRow) => state === 'held' || state === 'queued'

/** Nothing where it still waits: a mail takes its address when it leaves. */
async function latestNews(
  call: Call,
  before: ApplicationRow,
  row: ApplicationRow,
  mails: readonly MailRow[],
): Promise<NewMail[]> {
  const decisions = mails.filter(
    ({ kind, payload }) => kind === 'decision' && payload['decisionNumber'] === row.decisionNumber,
  )
  const decision = decisions.at(-1)
  if (decision) return decisions.some(isWaiting) ? [] : [decisionMail(row, decision.payload['knownStatus'])]
  const acknowledgements = mails.filter(({ kind }) => kind === 'acknowledgement')
  if (acknowledgements.length > 0) return acknowledgements.some(isWaiting) ? [] : await acknowledgementOf(call, row)
  // A walk-in without an address has had no mail yet.
  return before.email === '' && row.status === 'approved' ? [decisionMail(row, 'pending')] : []
}

const decisionMail = (row: ApplicationRow, knownStatus: unknown): NewMail => ({
  kind: 'decision',
  key: mailKey(row),
  to: { name: `${row.firstName} ${row.lastName}`, address: row.email },
  eventId: row.eventId,
  applicationId: row.id,
  payload: { applicationId: row.id, decisionNumber: row.decisionNumber, knownStatus, toStatus: row.status },
})
