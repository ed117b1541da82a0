import type { Knex } from 'knex'
import { longestMailPage, type MailLog, type EventMail } from '#shared/mail/mail-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { signedIn } from '../../calls/access.ts'
import { findToDecideOn } from '../application-store.ts'
import type { Config } from '../../config.ts'
import { requireOwner, requireOwnerForChange } from '../../events/event-policy.ts'
import type { Make, HandlerCall, Handlers } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import type { MailRow } from '../../db/rows/message-rows.ts'
import { retryMail } from '../../mail/mail-store.ts'
import { aboveAllowance, mailboxFull } from '../../mail/mail-allowance.ts'

const unreachable = /ECONNREFUSED|ETIMEDOUT|ECONNRESET|ECONNECTION|ESOCKET|EDNS|ENOTFOUND|EHOSTUNREACH|ENETUNREACH/
const signIn = /EAUTH|\b53[045]\b/
const noSuchAddress = /\b55[013]\b/
const full = /\b[45]52\b/
const refused = /\b5\d\d\b/
const notNow = /\b4\d\d\b/
const unknown = /may have arrived|interrupted before the mail server answered/

/**
 * From the mail server's status alone: its own words often repeat the address.
 * @param noted null when no attempt failed
 */
export function reasonInWords(noted: string | null): string | null {
  if (noted === null) return null
  if (unknown.test(noted)) return 'Whether it arrived is not known. Sent again it may arrive twice.'
  if (noted === aboveAllowance)
    return 'Your emails of the day are used up. It leaves when there is room, nothing is lost.'
  if (noted === mailboxFull) return 'This mailbox got many emails within a day. Send it again tomorrow.'
  if (noted.includes('SMTP_URL')) return 'This server has no mail server set up.'
  if (noted.includes('more than a week')) return 'It waited for more than a week.'
  if (noted.includes('could not be written')) return 'It could not be written.'
  if (unreachable.test(noted)) return 'The mail server could not be reached.'
  if (signIn.test(noted)) return 'The mail server did not let this server in.'
  if (noSuchAddress.test(noted)) return 'The mail server says that this address takes no mail.'
  if (full.test(noted)) return 'The mailbox is full.'
  if (refused.test(noted)) return 'The mail server refused it.'
  if (notNow.test(noted)) return 'The mail server did not take it just then.'
  return 'It could not be sent.'
}

async function countMails(
  db: Knex,
  which: { readonly eventId: number; readonly applicationId?: number },
): Promise<MailLog['counts']> {
  const counted: { state: MailState; count: number }[] = await db('mails')
    .where(which)
    .groupBy('state')
    .select('state', db.raw('count(*)::int as count'))
  const counts = { held: 0, queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 }
  for (const { state, count } of counted) counts[state] = count
  return counts
}

/** Returns undefined for a mail that is about no event. */
async function findEventMail(
  db: Knex,
  id: number,
): Promise<(MailRow & { readonly organizerId: number; readonly eventId: number }) | undefined> {
  return await db('mails')
    .join('events', 'events.id', 'mails.eventId')
    .where('mails.id', id)
    .first('mails.*', 'events.organizerId')
}

function presentMail(row: MailRow): EventMail {
  return {
    id: row.id,
    applicationId: row.applicationId,
    kind: row.kind,
    decision: row.kind === 'decision' ? decisionOf(row.payload) : null,
    recipient: row.toName || row.toAddress,
    subject: row.subject,
    state: row.state,
    sendAt: row.sendAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    reason: reasonInWords(row.lastError),
    createdAt: row.createdAt.toISOString(),
  }
}

function decisionOf({ knownStatus, toStatus }: MailRow['payload']): EventMail['decision'] {
  if (toStatus === 'approved') return 'approved'
  return knownStatus === 'approved' ? 'revoked' : 'rejected'
}

const listEventMails: Make<'listEventMails'> = async ({ db, caller, params, query, config, now }) => {
  const { id: eventId } = await requireOwner(db, caller, params.id)
  const { applicationId, before, limit = longestMailPage } = query
  const which = { eventId, ...(applicationId === undefined ? {} : { applicationId }) }
  const rows = await db('mails')
    .where(which)
    .modify((earlier) => void (before !== undefined && earlier.where('id', '<', before)))
    .orderBy('id', 'desc')
    .limit(limit)
  return {
    mails: rows.map(presentMail),
    counts: await countMails(db, which),
    delivery: deliveryOf(config),
    at: now.toISOString(),
  }
}

function deliveryOf({ smtpUrl, demoMode }: Pick<Config, 'smtpUrl' | 'demoMode'>): MailLog['delivery'] {
  if (smtpUrl !== null) return 'smtp'
  return demoMode ? 'demo' : 'none'
}

const refusals: Record<Exclude<MailState, 'failed'>, string> = {
  held: 'This email has not left yet.',
  queued: 'This email is on its way already.',
  sending: 'This email is on its way already.',
  sent: 'This email was sent already.',
  cancelled: 'This email was cancelled and will not be sent.',
}

/** The mail is written again when it leaves, or cancelled without news. */
const retry: Make<'retryMail'> = async (call) => {
  const { organizerId } = signedIn(call)
  const found = await findEventMail(call.db, call.params.id)
  // A stranger's mail looks like one that does not exist.
  if (found?.organizerId !== organizerId) throw new ProblemError('not_found', 'Email not found')
  await tellOtherDevices(call, organizerId, found)
  const retried = await retryMail(call.db, found.id, call.now)
  const row = await findEventMail(call.db, found.id)
  if (!row) throw new ProblemError('not_found', 'Email not found')
  if (!retried)
    throw new ProblemError('not_allowed_now', refusals[row.state as keyof typeof refusals], {
      current: presentMail(row),
    })
  return presentMail(row)
}

/**
 * Mails are no documents of the feed: other devices read the log again when the application or event changes. Locks
 * application before mail, as decisions do.
 */
async function tellOtherDevices(
  call: HandlerCall<'retryMail'>,
  organizerId: number,
  { applicationId, eventId }: { applicationId: number | null; eventId: number },
): Promise<void> {
  if (applicationId === null) {
    await requireOwnerForChange(call.db, call.caller, eventId)
    call.touch({ what: 'event', id: eventId, organizerId })
    return
  }
  const locked = (await findToDecideOn(call.db, [applicationId])).get(applicationId)
  if (locked) call.touch({ what: 'application', id: applicationId, organizerId })
}

const presentRetried = async (call: HandlerCall<'retryMail'>) => {
  const row = await findEventMail(call.db, call.params.id)
  if (!row) throw new ProblemError('not_found', 'Email not found')
  return presentMail(row)
}

export const mailLogHandlers = {
  listEventMails,
  retryMail: { make: retry, present: presentRetried },
} satisfies Partial<Handlers>
