import type { Knex } from 'knex'
import type { MailState } from '#shared/mail/mail.ts'
import { cancelMails } from './mail-store.ts'

/** Which mails are meant: any of these is enough. */
export interface MailsAbout {
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
        .orWhereRaw('event_id = ?::int', [eventId])
        .orWhereRaw('application_id = any(?::int[])', [applicationIds as unknown as Knex.Value])
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
