import type { Knex } from 'knex'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/rows/message-rows.ts'

/** Limits an organizer's mails to applicants in 24 hours. */
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
  const max = (await isConfirmed(trx, organizerId)) ? mailsPerDay.confirmed : mailsPerDay.unconfirmed
  const { rows } = await trx.raw<{ rows: { begun: number; freeAt: Date | null; now: Date }[] }>(
    `select (select count(*)::int from mails where ${counted}) + (select count(*)::int from mails where ${begun}) as begun,
       (select handed_over_at from mails where ${counted} order by handed_over_at desc offset ? limit 1) + interval '1 day' as free_at,
       now() as now`,
    [organizerId, organizerId, mail.id, organizerId, max - 1],
  )
  const [found] = rows
  if (!found || found.begun < max) return undefined
  const soon = found.now.getTime() + lookAgainMs
  return new Date(found.freeAt ? Math.min(found.freeAt.getTime(), soon) : soon)
}

// A mail being handed over has `handed_over_at` or is about to get it; taken back it means that it did not leave.
const counted = `organizer_id = ? and user_id is null and handed_over_at > now() - interval '1 day'`
const begun = `organizer_id = ? and id <> ? and user_id is null and state = 'sending' and handed_over_at is null`

export const aboveAllowance = 'the organizer’s emails of the day are used up'

export async function noteWaitsForAllowance(trx: Knex, { id }: MailRow, until: Date): Promise<void> {
  await trx('mails')
    .where({ id })
    .update({ state: 'queued', sendAt: until, lastError: aboveAllowance, updatedAt: trx.fn.now() })
}

/**
 * The limits are for 24 hours, because a visitor may apply with a stranger's address, and decide and write messages as
 * an organizer.
 */
const maxPerMailbox: Readonly<Partial<Record<MailKind, number>>> = { decision: 5, message: 10 }

export const mailboxFull = 'the mailbox has had its decisions or messages of the day'

/** No other advisory lock of two numbers may use it. */
const mailboxTurns = 4

/** Ignores case and a tag behind a plus. Must match the index. */
const mailboxOf = (address: string) => `regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

/**
 * Counts mails of the same kind of all organizers. Mails to one mailbox take turns until the transaction ends, so that
 * each counts all begun.
 */
export async function mailboxIsFull(trx: Knex, { id, kind, toAddress }: MailRow): Promise<boolean> {
  const max = maxPerMailbox[kind]
  if (max === undefined) return false
  await trx.raw(`select pg_advisory_xact_lock(?, hashtext(${mailboxOf('?::text')}))`, [mailboxTurns, toAddress])
  const { rows } = await trx.raw<{ rows: { begun: number }[] }>(
    `select count(*)::int as begun from mails
     where kind = ? and user_id is null and ${mailboxOf('to_address')} = ${mailboxOf('?::text')} and id <> ?
       and (handed_over_at > now() - interval '1 day' or state = 'sending' and handed_over_at is null)`,
    [kind, toAddress, id],
  )
  return (rows[0]?.begun ?? 0) >= max
}

/** Tells whether the organizer's address is confirmed. */
export async function isConfirmed(db: Knex, organizerId: number | null): Promise<boolean> {
  if (organizerId === null) return false
  const organizer = await db('users').where({ id: organizerId }).first('emailVerifiedAt')
  return organizer !== undefined && organizer.emailVerifiedAt !== null
}
