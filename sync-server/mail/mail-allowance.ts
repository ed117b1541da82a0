import type { Knex } from 'knex'
import type { MailRow } from '../db/rows/message-rows.ts'

/** To applicants, per organizer and 24 hours. */
export const mailsPerDay = { confirmed: 2_000, unconfirmed: 100 } as const

const lookAgainMs = 3_600_000

/** No other advisory lock of two numbers may use it. */
const mailAllowanceTurns = 3

/**
 * Whether a mail to an applicant may leave now; mails about an account are not counted. Others wait until the oldest of
 * the last 24 hours is a day old, and look hourly, because the organizer may confirm their address. An organizer's
 * mails take turns.
 * @returns undefined when it may leave, else when to look again
 */
export async function waitForAllowance(trx: Knex, mail: MailRow): Promise<Date | undefined> {
  const { organizerId } = mail
  if (organizerId === null || mail.userId !== null) return undefined
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [mailAllowanceTurns, organizerId])
  const most = (await isConfirmed(trx, organizerId)) ? mailsPerDay.confirmed : mailsPerDay.unconfirmed
  const { rows } = await trx.raw<{ rows: { begun: number; freeAt: Date | null; now: Date }[] }>(
    `select (select count(*)::int from mails where ${counted}) + (select count(*)::int from mails where ${begun}) as begun,
       (select handed_over_at from mails where ${counted} order by handed_over_at desc offset ? limit 1) + interval '1 day' as free_at,
       now() as now`,
    [organizerId, organizerId, mail.id, organizerId, most - 1],
  )
  const [found] = rows
  if (!found || found.begun < most) return undefined
  const soon = found.now.getTime() + lookAgainMs
  return new Date(found.freeAt ? Math.min(found.freeAt.getTime(), soon) : soon)
}

// A mail being handed over has `handed_over_at` or is about to get it; taken back it means that it did not leave.
const counted = `organizer_id = ? and user_id is null and handed_over_at > now() - interval '1 day'`
const begun = `organizer_id = ? and id <> ? and user_id is null and state = 'sending' and handed_over_at is null`

export const aboveAllowance = 'the organizer’s e-mails of the day are used up'

export async function noteWaitsForAllowance(trx: Knex, { id }: MailRow, until: Date): Promise<void> {
  await trx('mails')
    .where({ id })
    .update({ state: 'queued', sendAt: until, lastError: aboveAllowance, updatedAt: trx.fn.now() })
}

/** Per 24 hours: a visitor may apply with a stranger's address and decide by themselves. */
const decisionsPerMailbox = 5

export const mailboxFull = 'the mailbox got its decisions of the day'

/** No other advisory lock of two numbers may use it. */
const mailboxTurns = 4

/** Ignores case and a tag behind a plus. Must match the index. */
const mailboxOf = (address: string) => `regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

/**
 * Counts decision mails of all organizers. Mails to one mailbox take turns until the transaction ends, so that each
 * counts all begun.
 */
export async function mailboxIsFull(trx: Knex, { id, kind, toAddress }: MailRow): Promise<boolean> {
  if (kind !== 'decision') return false
  await trx.raw(`select pg_advisory_xact_lock(?, hashtext(${mailboxOf('?::text')}))`, [mailboxTurns, toAddress])
  const { rows } = await trx.raw<{ rows: { begun: number }[] }>(
    `select count(*)::int as begun from mails
     where kind = 'decision' and ${mailboxOf('to_address')} = ${mailboxOf('?::text')} and id <> ?
       and (handed_over_at > now() - interval '1 day' or state = 'sending' and handed_over_at is null)`,
    [toAddress, id],
  )
  return (rows[0]?.begun ?? 0) >= decisionsPerMailbox
}

/** Whether the organizer's address is confirmed. */
export async function isConfirmed(db: Knex, organizerId: number | null): Promise<boolean> {
  if (organizerId === null) return false
  const organizer = await db('users').where({ id: organizerId }).first('emailVerifiedAt')
  return organizer !== undefined && organizer.emailVerifiedAt !== null
}
