import { relation, type Relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { cancelJobs, insertJob, insertJobs, isSoon, queueJobsFrom } from '../jobs/job-store.ts'
import type { MailAddress } from './mail-content.ts'
import { runPrepared } from '../db/prepared.ts'

/** It is rendered when its hold ends, from the rows as they are then. */
export interface NewMail {
  readonly kind: MailKind
  /** The same news is sent once, ever, such as `acknowledgement:<applicationId>`. */
  readonly key: string
  readonly to: MailAddress
  readonly eventId?: number
  readonly applicationId?: number
  readonly userId?: number
  /** An applicant gets the mail in this organizer's name; the default is the event's organizer. */
  readonly organizerId?: number
  readonly payload: Readonly<Record<string, unknown>>
  /** Held until then; without it sent at once. */
  readonly sendAt?: Date
  /** May have left before a restore: a person decides. */
  readonly mayHaveLeft?: boolean
}

export const mayHaveLeftBefore = 'it may have arrived before the database was restored'

/** A mail server that is down has about nine hours. */
const attemptLimit = 20

export const sendMailKind = 'send-mail'

/** The first job has the mail's key, each retry its own. */
export const jobKeyOf = ({ key, retries }: Pick<MailRow, 'key' | 'retries'>) =>
  retries === 0 ? key : `${key}#${retries}`

// Walk-ins may have no address.
const isAddressed = ({ to }: NewMail) => to.address !== ''

/**
 * Gives parts of a larger statement's `with` that queue mails. `queued_mails` are the new ones; `mail_jobs` are left to
 * be queued by `queueJobsFrom`. A key that was queued before is left out.
 */
export function queueMailsFrom(mails: readonly NewMail[]): Relation {
  const given = relation(
    'g',
    mails.filter(isAddressed).map(({ kind, key, eventId, applicationId, userId, organizerId, sendAt, ...mail }) => ({
      kind,
      key,
      eventId,
      applicationId,
      userId,
      organizerId,
      toName: mail.to.name,
      toAddress: mail.to.address,
      payload: JSON.stringify(mail.payload),
      state: mail.mayHaveLeft ? 'failed' : sendAt ? 'held' : 'queued',
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
  return {
    sql: `given_mails as (
      select * from ${given.sql}
    ), queued_mails as (
      insert into mails (kind, key, event_id, application_id, user_id, organizer_id, to_name, to_address, payload, state, send_at, handed_over_at, last_error)
      select kind, key, event_id, application_id, user_id, coalesce(g.organizer_id, (select e.organizer_id from events e where e.id = g.event_id)),
        to_name, to_address, payload, state, coalesce(send_at, now()),
        case when state = 'failed' then now() end, case when state = 'failed' then '${mayHaveLeftBefore}' end
      from given_mails g on conflict (key) do nothing returning id, key
    ), mail_jobs as (
      select '${sendMailKind}' as kind, q.key, jsonb_build_object('mailId', q.id) as payload,
        g.send_at as run_at, ${attemptLimit} as max_attempts, g.is_soon
      from queued_mails q join given_mails g on g.key = q.key where g.state <> 'failed'
    )`,
    bindings: given.bindings,
    shape: given.shape,
  }
}

/**
 * Runs in the caller's transaction and one statement. A key that was queued before is left out. Returns how many are
 * new.
 */
export async function queueMails(trx: Knex, mails: readonly NewMail[]): Promise<number> {
  if (!mails.some(isAddressed)) return 0
  const parts = queueMailsFrom(mails)
  const [row] = await runPrepared<{ queued: number }>(
    trx,
    `queue-mails-${parts.shape}`,
    `with ${parts.sql}, ${queueJobsFrom('mail_jobs')}
     select (select count(*) from queued_mails)::int as queued, (select count(*) from announced_jobs) as announced`,
    parts.bindings,
  )
  return row?.queued ?? 0
}

/**
 * Cancels mails that have not begun, and their jobs. Returns each payload under its key; unknown, begun and sent ones
 * are missing.
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

/** Queues a failed mail once more at a person's wish. Returns whether it was one. */
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
  const payload = { mailId: mail.id }
  await insertJob(trx, { kind: sendMailKind, key: jobKeyOf(mail), payload, maxAttempts: attemptLimit })
  return true
}

/** Mails that were cancelled become news again; each is written when its hold ends, or cancelled once more. */
export async function requeueCancelledMails(trx: Knex, ids: readonly number[], sendAt: Date): Promise<void> {
  const mails = await trx('mails')
    .whereIn('id', ids)
    .where({ state: 'cancelled' })
    .update({ state: 'held', retries: trx.raw('retries + 1'), sendAt, updatedAt: trx.fn.now() })
    .returning(['id', 'key', 'retries'])
  await insertJobs(
    trx,
    mails.map((mail) => ({
      kind: sendMailKind,
      key: jobKeyOf(mail),
      payload: { mailId: mail.id },
      runAt: sendAt,
      maxAttempts: attemptLimit,
    })),
  )
}

/**
 * SQL: a mail goes to one of the addresses, which are given twice and in small letters, and is none to an account. The
 * index knows mailboxes, as `mailboxIsFull` does.
 */
export const isToAddresses = `(user_id is null and lower(to_address) = any(?::text[])
  and regexp_replace(lower(to_address), '\\+[^@]*@', '@') = any(array(
    select regexp_replace(lower(given), '\\+[^@]*@', '@') from unnest(?::text[]) given)))`

interface MailsAbout {
  readonly userId?: number
  readonly eventId?: number
  readonly applicationIds?: readonly number[]
  /** The case of letters does not matter, and mails to an account are not meant. */
  readonly addresses?: readonly string[]
}

/**
 * Cancels what has not left and removes all rows that meet any criterion, a demo's copies too. A mail just leaving may
 * still arrive. Returns how many.
 */
export async function forgetMails(trx: Knex, about: MailsAbout): Promise<number> {
  const { userId, eventId, applicationIds = [], addresses = [] } = about
  const lower = addresses.map((address) => address.toLowerCase())
  const list = (values: readonly unknown[]) => values as unknown as Knex.Value
  // Each criterion has an index; one that is not given would keep PostgreSQL from using them.
  const meant = trx('mails').where((either) => {
    either.whereRaw('false')
    if (userId !== undefined) void either.orWhere({ userId })
    if (eventId !== undefined) void either.orWhere({ eventId })
    if (applicationIds.length > 0) void either.orWhereRaw('application_id = any(?::bigint[])', [list(applicationIds)])
    if (lower.length > 0) void either.orWhereRaw(isToAddresses, [list(lower), list(lower)])
  })
  const mails = await meant.forUpdate().select('key', 'toAddress')
  const keys = mails.map(({ key }) => key)
  await cancelMails(trx, keys)
  await trx('mails').whereIn('key', keys).del()
  const kept = new Set([...lower, ...mails.map(({ toAddress: address }) => address.toLowerCase())])
  await trx('demo_mails')
    .whereRaw('lower(to_address) = any(?::text[])', [[...kept] as unknown as Knex.Value])
    .del()
  return mails.length
}
