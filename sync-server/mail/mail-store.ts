import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { cancelJobs, insertJobs, isSoon, queueJobsFrom } from '../jobs/job-store.ts'
import type { MailAddress } from './mail-content.ts'

/** A mail that is to be sent. What it says is written when its hold ends, from the rows as they are then. */
export interface NewMail {
  readonly kind: MailKind
  /** Business key: the same news is sent once, ever, such as `acknowledgement:<applicationId>`. */
  readonly key: string
  readonly to: MailAddress
  readonly eventId?: number
  readonly applicationId?: number
  readonly userId?: number
  /** In whose name it goes to an applicant; the organizer of its event unless given. */
  readonly organizerId?: number
  /** What rendering needs beyond the rows. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Held until this instant; sent at once without it. */
  readonly sendAt?: Date
  /** It may have left before the database went back: it is kept for a person to decide, like one that broke off half way. */
  readonly mayHaveLeft?: boolean
}

/** Why a mail waits for a person when the database was brought back to a time before it was queued, or before it left. */
export const mayHaveLeftBefore = 'it may have arrived before the database was restored'

/** Waiting for a slow mail server is worth it for about half a day; then a person has to look. */
const mostAttempts = 20

/** Which task sends mails. */
export const sendMailKind = 'send-mail'

/** The job that sends a mail now: the first under the mail's own key, each retry by a person under one of its own. */
export const jobKeyOf = ({ key, retries }: Pick<MailRow, 'key' | 'retries'>) =>
  retries === 0 ? key : `${key}#${retries}`

/**
 * Queues mails in the caller's transaction, so that they exist exactly if the change does: one statement, however many.
 * One whose key was queued before is left out. Answers how many are new.
 */
export async function queueMails(trx: Knex, mails: readonly NewMail[]): Promise<number> {
  if (mails.length === 0) return 0
  const given = relation(
    'g',
    mails.map(({ to, payload, sendAt, mayHaveLeft, eventId, applicationId, userId, organizerId, ...mail }) => ({
      ...mail,
      eventId,
      applicationId,
      userId,
      organizerId,
      toName: to.name,
      toAddress: to.address,
      payload: JSON.stringify(payload),
      state: mayHaveLeft ? 'failed' : sendAt ? 'held' : 'queued',
      sendAt,
      isSoon: isSoon(sendAt),
    })),
    {
      kind: 'text',
      key: 'text',
      eventId: 'bigint',
      applicationId: 'bigint',
      userId: 'bigint',
      organizerId: 'bigint',
      toName: 'text',
      toAddress: 'text',
      payload: 'jsonb',
      state: 'text',
      sendAt: 'timestamptz',
      isSoon: 'boolean',
    },
  )
  const { rows } = (await trx
    .raw(
      `with given as (
         select * from ${given.sql}
       ), inserted as (
         insert into mails (kind, key, event_id, application_id, user_id, organizer_id, to_name, to_address, payload, state, send_at, handed_over_at, last_error)
         select kind, key, event_id, application_id, user_id, coalesce(g.organizer_id, (select e.organizer_id from events e where e.id = g.event_id)),
           to_name, to_address, payload, state, coalesce(send_at, now()),
           case when state = 'failed' then now() end, case when state = 'failed' then '${mayHaveLeftBefore}' end
         from given g on conflict (key) do nothing returning id, key
       ), to_send as (
         select '${sendMailKind}' as kind, i.key, jsonb_build_object('mailId', i.id) as payload,
           g.send_at as run_at, ${mostAttempts} as max_attempts, g.is_soon
         from inserted i join given g on g.key = i.key where g.state <> 'failed'
       ), ${queueJobsFrom('to_send')}
       select (select count(*) from inserted)::int as queued, (select count(*) from announced_jobs) as announced`,
      given.bindings,
    )
    .options({ name: 'queue-mails' })) as { rows: { queued: number }[] }
  return rows[0]?.queued ?? 0
}

/**
 * Cancels mails that have not been begun, and their jobs. Answers the payload of each under its key; one that is unknown,
 * under way or sent is missing.
 */
export async function cancelMails(
  trx: Knex,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (keys.length === 0) return new Map()
  const cancelled = await trx('mails')
    .whereIn('key', keys)
    .whereIn('state', ['held', 'queued'] satisfies MailState[])
    .update({ state: 'cancelled', updatedAt: trx.fn.now() })
    .returning(['key', 'payload', 'retries'])
  await cancelJobs(trx, cancelled.map(jobKeyOf))
  return new Map(cancelled.map(({ key, payload }) => [key, payload]))
}

/** Queues a mail that was given up once more, because a person asks for it. Answers whether it was one of those. */
export async function retryMail(trx: Knex, mailId: number, now: Date): Promise<boolean> {
  const [mail] = await trx('mails')
    .where({ id: mailId, state: 'failed' })
    .update({
      state: 'queued',
      retries: trx.raw('retries + 1'),
      handedOverAt: null,
      lastError: null,
      sendAt: now,
      updatedAt: trx.fn.now(),
    })
    .returning(['id', 'key', 'retries'])
  if (!mail) return false
  await insertJobs(trx, [
    { kind: sendMailKind, key: jobKeyOf(mail), payload: { mailId: mail.id }, maxAttempts: mostAttempts },
  ])
  return true
}

/** Which mails are meant: any of these is enough. */
interface MailsAbout {
  /** To this account. */
  readonly userId?: number
  /** About this event, to whomever. */
  readonly eventId?: number
  /** About these applications. */
  readonly applicationIds?: readonly number[]
  /** To these addresses, in any case, unless to an account. */
  readonly addresses?: readonly string[]
}

/**
 * Cancels mails that have not left and forgets that there were any, with what a demo has kept of them. One that is just
 * leaving may still arrive. Answers how many there were.
 */
export async function forgetMails(trx: Knex, about: MailsAbout): Promise<number> {
  const { userId = null, eventId = null, applicationIds = [], addresses = [] } = about
  const lower = addresses.map((address) => address.toLowerCase())
  const meant = trx('mails').where(
    (either) =>
      void either
        .whereRaw('user_id = ?::int', [userId])
        .orWhereRaw('event_id = ?::bigint', [eventId])
        .orWhereRaw('application_id = any(?::bigint[])', [applicationIds as unknown as Knex.Value])
        .orWhereRaw('(user_id is null and lower(to_address) = any(?::text[]))', [lower as unknown as Knex.Value]),
  )
  const mails = await meant.forUpdate().select('id', 'key', 'state', 'toAddress')
  const open: readonly string[] = ['held', 'queued'] satisfies MailState[]
  await cancelMails(
    trx,
    mails.filter(({ state }) => open.includes(state)).map(({ key }) => key),
  )
  await trx('mails')
    .whereIn(
      'id',
      mails.map(({ id }) => id),
    )
    .del()
  // A demo's copies know no numbers, only addresses.
  const kept = new Set([...lower, ...mails.map(({ toAddress: address }) => address.toLowerCase())])
  await trx('demo_mails')
    .whereRaw('lower(to_address) = any(?::text[])', [[...kept] as unknown as Knex.Value])
    .del()
  return mails.length
}

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

/** Decision mails that one mailbox gets within 24 hours: anybody may apply with anybody's address, and decide by themselves. */
const decisionsPerMailbox = 5

/** Why a decision's mail was given up whose mailbox has had its number; for the mail log. */
export const mailboxFull = 'the mailbox got its decisions of the day'

/** Any number that no other advisory lock of two numbers uses. */
const mailboxTurns = 4

/** Where mail to an address arrives: upper case makes no difference, nor does a tag behind a plus. As the index has it. */
const mailboxOf = (address: string) => `regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

/**
 * Whether a mail about a decision goes to a mailbox that has had its number within 24 hours, in whosever name. Mails to one
 * mailbox take turns from here until the transaction ends, so that each counts all that were begun.
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

/** Whether the person in whose name a mail goes out has shown that their own e-mail address is theirs. */
export async function isConfirmed(db: Knex, organizerId: number | null): Promise<boolean> {
  if (organizerId === null) return false
  const organizer = await db('users').where({ id: organizerId }).first('emailVerifiedAt')
  return organizer !== undefined && organizer.emailVerifiedAt !== null
}
