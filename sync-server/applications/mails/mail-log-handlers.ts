import { longestMailPage, type MailLog } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { signedIn } from '../../calls/signed-in.ts'
import { findToDecideOn } from '../application-store.ts'
import type { Config } from '../../config.ts'
import { requireOwner, requireOwnerForChange } from '../../events/event-policy.ts'
import type { Handler, HandlerCall, Room } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import { countMails, findEventMail, listMails, presentMail } from './mail-log.ts'
import { retryMail } from '../../mail/mail-store.ts'

const listEventMails: Handler<'listEventMails'> = async ({ db, caller, params, query, config, now }) => {
  const { id: eventId } = await requireOwner(db, caller, params.id)
  const { applicationId, before, limit = longestMailPage } = query
  const rows = await listMails(db, { eventId, applicationId, before, limit })
  return {
    mails: rows.map(presentMail),
    counts: await countMails(db, { eventId, applicationId }),
    delivery: deliveryOf(config),
    at: now.toISOString(),
  }
}

/** As the transport is chosen: see create-mail-transport.ts. */
function deliveryOf({ smtpUrl, demoMode }: Pick<Config, 'smtpUrl' | 'demoMode'>): MailLog['delivery'] {
  if (smtpUrl !== null) return 'smtp'
  return demoMode ? 'demo' : 'none'
}

const refusals: Record<Exclude<MailState, 'failed'>, string> = {
  held: 'This e-mail has not left yet.',
  queued: 'This e-mail is on its way already.',
  sending: 'This e-mail is on its way already.',
  sent: 'This e-mail was sent already.',
  cancelled: 'This e-mail was cancelled and is not sent any more.',
}

/**
 * Queues a failed mail once more. What it says is written anew when it leaves, so it tells how things are then, or is
 * cancelled when there is no news any more.
 */
const retry: Handler<'retryMail'> = async (call) => {
  const { userId } = signedIn(call)
  const found = await findEventMail(call.db, call.params.id)
  // A stranger's mail is refused exactly like one that does not exist.
  if (found?.organizerId !== userId) throw new ProblemError('not_found', 'E-mail not found')
  await tellOtherDevices(call, userId, found)
  const retried = await retryMail(call.db, found.id, call.now)
  const row = await findEventMail(call.db, found.id)
  if (!row) throw new ProblemError('not_found', 'E-mail not found')
  if (!retried)
    throw new ProblemError('not_allowed_now', refusals[row.state as keyof typeof refusals], {
      current: presentMail(row),
    })
  return presentMail(row)
}

/**
 * Mails are no documents of the feed: who looks at the log on another device looks again when the application, or the
 * event, is told anew. Locked in the order decisions lock: application before mail.
 */
async function tellOtherDevices(
  call: HandlerCall<'retryMail'>,
  userId: number,
  { applicationId, eventId }: { applicationId: number | null; eventId: number },
): Promise<void> {
  if (applicationId === null) {
    await requireOwnerForChange(call.db, call.caller, eventId)
    call.touch({ what: 'event', id: eventId, organizerId: userId })
    return
  }
  const locked = (await findToDecideOn(call.db, [applicationId])).get(applicationId)
  if (locked) call.touch({ what: 'application', id: applicationId, organizerId: userId })
}

/** The mail log of the manage page. */
export const mailLogHandlers: Room<'listEventMails' | 'retryMail'> = { listEventMails, retryMail: retry }
