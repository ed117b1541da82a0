import type { Knex } from 'knex'
import type { MailState } from '#shared/mail/mail.ts'
import { outgoingName } from '#shared/text/outgoing-name.ts'
import { deletionOf, inLots, lotSize } from '../db/lots.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { jobKeyOf, mayHaveLeftBefore } from './mail-store.ts'

/** The locked mail, nothing to do, or when to try again. */
export type FoundMail = AddressedMail | { readonly runAgainAt: Date } | undefined

interface AddressedMail {
  readonly mail: MailRow
  readonly greetedAs: string
}

const waitForEarlierMs = 5_000
/** A mail that has waited this long for a mail server is not sent unasked. */
const staleMs = 7 * 86_400_000
const waitedTooLong = 'it waited for more than a week'

/** Settles what needs no rendering: mails that are over, too late, or interrupted after `handed_over_at`. */
export async function findMailToSend(trx: Knex, job: ClaimedJob, now: Date): Promise<FoundMail> {
  const id = Number(job.payload['mailId'])
  const mail = await trx('mails').where({ id }).forUpdate().first()
  // A retry by a person has a job of its own.
  if (!mail || jobKeyOf(mail) !== job.key || mail.state === 'sent' || mail.state === 'cancelled') return undefined
  if (mail.handedOverAt !== null) {
    if (mail.state === 'sending') await giveUpMail(trx, mail, unknownWhetherTaken)
    return undefined
  }
  if (now.getTime() - mail.sendAt.getTime() > staleMs) {
    await giveUpMail(trx, mail, waitedTooLong)
    return undefined
  }
  if (await earlierDecisionIsUnderWay(trx, mail)) return { runAgainAt: new Date(now.getTime() + waitForEarlierMs) }
  return await addressed(trx, mail)
}

/** The sender of such a mail died after the last piece. */
export const unknownWhetherTaken = 'the server stopped while it handed the mail over; it may have arrived'

/** After a restore: waiting mails may have left since the backup. Returns how many. */
export async function holdMailsForReview(trx: Knex): Promise<number> {
  return await trx('mails')
    .whereIn('state', ['held', 'queued', 'sending'] satisfies MailState[])
    .update({
      state: 'failed',
      handedOverAt: trx.raw('coalesce(handed_over_at, now())'),
      lastError: mayHaveLeftBefore,
      updatedAt: trx.fn.now(),
    })
}

/** A later decision mail must know whether this one was heard. */
async function earlierDecisionIsUnderWay(trx: Knex, { id, kind, applicationId: about }: MailRow): Promise<boolean> {
  if (kind !== 'decision' || about === null) return false
  const earlier = await trx('mails')
    .where({ applicationId: about, kind: 'decision', state: 'sending' })
    .where('id', '<', id)
    .first('id')
  return earlier !== undefined
}

/**
 * Name and address follow the applicant's corrections. Until a link in a mail was opened the mailbox may be a
 * stranger's: the name, chosen by the form's sender, stays out of the mail.
 */
async function addressed(trx: Knex, mail: MailRow): Promise<AddressedMail> {
  if (mail.applicationId === null || mail.userId !== null) return { mail, greetedAs: outgoingName(mail.toName) }
  const applicant = await trx('applications')
    .where({ id: mail.applicationId })
    .first('firstName', 'lastName', 'email', 'linkOpenedAt')
  if (!applicant) return { mail, greetedAs: '' }
  const name = mail.toName === '' ? '' : `${applicant.firstName} ${applicant.lastName}`
  return {
    mail: { ...mail, toName: name, toAddress: applicant.email },
    greetedAs: applicant.linkOpenedAt === null ? '' : outgoingName(name),
  }
}

/** Returns the row, whose `attempts` names this attempt. */
export async function beginMail(trx: Knex, mail: MailRow, subject: string): Promise<MailRow> {
  const [begun] = await trx('mails')
    .where({ id: mail.id })
    .update({
      state: 'sending',
      subject,
      toName: mail.toName,
      toAddress: mail.toAddress,
      attempts: mail.attempts + 1,
      updatedAt: trx.fn.now(),
    })
    .returning('*')
  if (!begun) throw new Error('A mail vanished while it was locked')
  return begun
}

interface AttemptNote {
  readonly state?: MailState
  readonly handedOverAt?: Knex.Raw | null
  readonly sentAt?: Knex.Raw
  readonly sendAt?: Date
  readonly lastError?: string | null
}

/** False for an attempt that was overtaken by another server or a person's retry, or is in none of the states. */
export async function noteAttempt(
  db: Knex,
  { id, attempts, retries }: MailRow,
  states: readonly MailState[],
  note: AttemptNote,
): Promise<boolean> {
  const noted = await db('mails')
    .where({ id, attempts, retries })
    .whereIn('state', states)
    .update({ ...note, updatedAt: db.fn.now() })
  return noted === 1
}

export async function cancelMail(trx: Knex, { id }: MailRow): Promise<void> {
  await trx('mails').where({ id }).update({ state: 'cancelled', updatedAt: trx.fn.now() })
}

/** The mail must be locked. */
export async function giveUpMail(trx: Knex, { id }: MailRow, reason: string): Promise<void> {
  await trx('mails').where({ id }).update({ state: 'failed', lastError: reason, updatedAt: trx.fn.now() })
}

/**
 * Gives up mails whose job was buried or is missing for ten minutes; answers how many. Rare: a job's last attempt has
 * to stop its server.
 */
export async function giveUpAbandonedMails(db: Knex): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update mails m set state = 'failed', updated_at = now(), last_error = case
         when state = 'sending' and handed_over_at is not null then ?
         else coalesce(last_error, 'the attempts to send it were given up') end
     where state in ('held', 'queued', 'sending') and updated_at < now() - interval '10 minutes'
       and not exists (
         select from jobs j where j.key = case when m.retries = 0 then m.key else m.key || '#' || m.retries end
           and (j.state = 'waiting' or j.state = 'running' and j.lease_until > now() - interval '10 minutes'))`,
    [unknownWhetherTaken],
  )
  return rowCount
}

/**
 * Gives up mails that no mail server came for, with their jobs. A server with one looks at every job, a day earlier.
 */
export const giveUpStaleMails = inLots(async (db) => {
  const { rows } = await db.raw<{ rows: { given: number }[] }>(
    `with stale as (
       update mails set state = 'failed', updated_at = now(), last_error = ?
       where id = any(array(
         select id from mails where state in ('held', 'queued') and send_at < now() - interval '8 days'
         limit ${lotSize} for update skip locked
       )) returning key, retries
     ), ended as (
       delete from jobs j using stale s
       where j.key = case when s.retries = 0 then s.key else s.key || '#' || s.retries end and j.state = 'waiting'
     )
     select count(*)::int as given from stale`,
    [waitedTooLong],
  )
  return rows[0]?.given === 0 ? undefined : rows[0]?.given
})

const keptDays = 90

export const purgeMails = inLots(
  deletionOf('mails', `state in ('sent', 'failed', 'cancelled') and updated_at < now() - interval '${keptDays} days'`),
)
