import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
import { queueMails, type NewMail } from '../mail/mail-store.ts'
import { issueLink } from './account-links.ts'

/** What the renderers of these mails find beside the row: the link, or what there is to say without one. */
type AccountMailPayload = { readonly linkId: string } | { readonly linkId: string; readonly step: 'asked' | 'done' }

/**
 * Whom a mail greets. Before an address is confirmed it may be a stranger's: they shall not read what somebody else
 * typed as a name, nor shall anybody a name that a mail program could take for an address of the web.
 */
export function nameInMail({ username, emailVerifiedAt: verified }: UserRow): string {
  return verified === null || /[./:@\\]/.test(username) ? '' : username
}

const recipient = (user: UserRow, address = user.email): NewMail['to'] => ({ name: nameInMail(user), address })

const mailOf = (
  user: UserRow,
  mail: Pick<NewMail, 'kind' | 'key' | 'to'> & { readonly payload: AccountMailPayload },
): NewMail => ({ ...mail, userId: user.id })

/** Mails a link by which a user confirms the address they gave. The caller holds the user's row. */
export async function mailVerification(trx: Knex, user: UserRow, now: Date): Promise<void> {
  const linkId = await issueLink(trx, { userId: user.id, purpose: 'verify', email: user.email }, now)
  const mail = { kind: 'verify-email', key: `verify-email:${linkId}`, to: recipient(user) } as const
  await queueMails(trx, [mailOf(user, { ...mail, payload: { linkId } })])
}

/** Mails a link for a new password, once per number of a link. The caller holds the user's row. */
export async function mailPasswordReset(trx: Knex, user: UserRow, linkId: string, now: Date): Promise<void> {
  await issueLink(trx, { id: linkId, userId: user.id, purpose: 'reset', email: user.email }, now)
  const mail = { kind: 'password-reset', key: `password-reset:${linkId}`, to: recipient(user) } as const
  await queueMails(trx, [mailOf(user, { ...mail, payload: { linkId } })])
}

/**
 * Mails a link to an address that is to become a user's, and tells the one they have, where somebody can still stop it.
 * The caller holds the user's row.
 */
export async function mailEmailChange(trx: Knex, user: UserRow, email: string, now: Date): Promise<void> {
  const linkId = await issueLink(trx, { userId: user.id, purpose: 'change', email }, now)
  await queueMails(trx, [
    mailOf(user, {
      kind: 'verify-email',
      key: `verify-email:${linkId}`,
      to: { name: '', address: email },
      payload: { linkId },
    }),
    changeNotice(user, linkId, 'asked'),
  ])
}

/** Tells the address a user had until now that it is theirs no more. `before`: the user as they were. */
export async function mailEmailChanged(trx: Knex, before: UserRow, linkId: string): Promise<void> {
  await queueMails(trx, [changeNotice(before, linkId, 'done')])
}

const changeNotice = (user: UserRow, linkId: string, step: 'asked' | 'done'): NewMail =>
  mailOf(user, {
    kind: 'email-changed',
    key: `email-changed:${step}:${linkId}`,
    to: recipient(user),
    payload: { linkId, step },
  })
