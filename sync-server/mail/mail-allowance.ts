import type { Knex } from 'knex'
import type { MailRow } from '../db/rows/mail-rows.ts'

/** Mails to applicants that leave in an organizer's name within 24 hours; with a confirmed e-mail address, and without. */
export const mailsPerDay = { confirmed: 2_000, unconfirmed: 100 } as const

const lookAgainMs = 3_600_000

/** Any number that no other advisory lock of two numbers uses. */
const mailAllowanceTurns = 3

/**
 * Whether a mail to an applicant may leave now. Those above its organizer's number wait and are never lost: once the oldest
 * of the last 24 hours is a day old the next may leave, and a waiting one looks at least every hour, for the organizer may
 * have confirmed their address meanwhile. Mails about an account are not counted.
 *
 * The mails of one organizer take turns from here until the transaction ends, so that each counts all that were begun.
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

// One that is being handed over has a mark or is about to get it; a mark that was taken back means that it did not leave.
const counted = `organizer_id = ? and user_id is null and handed_over_at > now() - interval '1 day'`
const begun = `organizer_id = ? and id <> ? and user_id is null and state = 'sending' and handed_over_at is null`

/** Why a mail waits that is above its organizer's number; for the mail log. */
export const aboveAllowance = 'the organizer’s e-mails of the day are used up'

/** Notes that a locked mail waits for its organizer's next free place. */
export async function noteWaitsForAllowance(trx: Knex, { id }: MailRow, until: Date): Promise<void> {
  await trx('mails')
    .where({ id })
    .update({ state: 'queued', sendAt: until, lastError: aboveAllowance, updatedAt: trx.fn.now() })
}

/** Whether the person in whose name a mail goes out has shown that their own e-mail address is theirs. */
export async function isConfirmed(db: Knex, organizerId: number | null): Promise<boolean> {
  if (organizerId === null) return false
  const organizer = await db('users').where({ id: organizerId }).first('emailVerifiedAt')
  return organizer !== undefined && organizer.emailVerifiedAt !== null
}
