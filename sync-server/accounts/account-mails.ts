import type { Knex } from 'knex'
import { outgoingName } from '#shared/text/outgoing-name.ts'
import type { AccountLinkRow, UserRow } from '../db/rows/account-rows.ts'
import { insertJob } from '../jobs/job-store.ts'
import { type NewMail, queueMails } from '../mail/mail-store.ts'
import { issueLink, newLinkId } from './account-links.ts'
import { lockUser } from './user-store.ts'

/** Empty for an unconfirmed address: a stranger must not read what another person typed as a name. */
export function nameInMail({ username, emailVerifiedAt: verified }: UserRow): string {
  return verified === null ? '' : outgoingName(username)
}

const recipient = (user: UserRow): NewMail['to'] => ({ name: nameInMail(user), address: user.email })

/**
 * A link that an address is theirs goes to that address, whose reader may be a stranger; a change is also told to the
 * present one, whose reader can still stop it. The caller holds the user's row.
 */
export async function mailLink(
  trx: Knex,
  user: UserRow,
  link: Pick<AccountLinkRow, 'purpose'> & Partial<Pick<AccountLinkRow, 'email' | 'id'>>,
  now: Date,
): Promise<void> {
  const { purpose, email = user.email } = link
  const linkId = await issueLink(trx, { ...link, email, userId: user.id }, now)
  const kind = purpose === 'reset' ? 'password-reset' : 'verify-email'
  const isOwn = purpose === 'reset' || purpose === 'verify'
  const to = isOwn ? recipient(user) : { name: '', address: email }
  const mail: NewMail = { kind, key: `${kind}:${linkId}`, to, userId: user.id, payload: { linkId } }
  await queueMails(trx, purpose === 'change' ? [mail, changeNotice(user, linkId, 'asked')] : [mail])
}

export async function mailEmailChanged(trx: Knex, before: UserRow, linkId: string): Promise<void> {
  await queueMails(trx, [changeNotice(before, linkId, 'done')])
}

const changeNotice = (user: UserRow, linkId: string, step: 'asked' | 'done'): NewMail => ({
  kind: 'email-changed',
  key: `email-changed:${step}:${linkId}`,
  to: recipient(user),
  userId: user.id,
  payload: { linkId, step },
})

/** To the account's own mailbox, whose reader can still call it off; it does not name the contact address. */
export async function mailContactChanged(
  trx: Knex,
  user: UserRow,
  { step, now }: { readonly step: 'contact-asked' | 'contact-done'; readonly now: Date },
): Promise<void> {
  const key = `email-changed:${step}:${user.id}:${now.toISOString()}`
  await queueMails(trx, [{ kind: 'email-changed', key, to: recipient(user), userId: user.id, payload: { step } }])
}

export async function mailPasswordChanged(trx: Knex, user: UserRow, now: Date): Promise<void> {
  const key = `password-changed:${user.id}:${now.toISOString()}`
  await queueMails(trx, [{ kind: 'password-changed', key, to: recipient(user), userId: user.id, payload: {} }])
}

/** At the wish, when it is taken back, and once the account is deleted: by then the mail belongs to no account. */
export async function mailAccountDeletion(
  trx: Knex,
  user: UserRow,
  { step, deletesAt }: { readonly step: 'asked' | 'kept' | 'done'; readonly deletesAt: Date },
): Promise<void> {
  const key = `account-deletion:${step}:${user.id}:${deletesAt.toISOString()}`
  const mail: NewMail = { kind: 'account-deletion', key, to: recipient(user), payload: { step } }
  await queueMails(trx, [step === 'done' ? mail : { ...mail, userId: user.id }])
}

export async function mailAccountClosed(trx: Knex, user: UserRow, closedAt: Date): Promise<void> {
  const key = `account-closed:${user.id}:${closedAt.toISOString()}`
  const payload = { closedAt: closedAt.toISOString() }
  await queueMails(trx, [{ kind: 'account-closed', key, to: recipient(user), userId: user.id, payload }])
}

const passwordResetKind = 'password-reset'

/** Runs the same statement whether or not an account has the address, so that neither answer nor timing tells. */
export async function askForPasswordReset(trx: Knex, userId: number | null): Promise<void> {
  const linkId = newLinkId()
  await insertJob(trx, {
    kind: passwordResetKind,
    key: `${passwordResetKind}-asked:${linkId}`,
    payload: { userId, linkId },
  })
}

interface AccountTaskDeps {
  readonly db: Knex
  readonly now?: () => Date
}

/** A task that runs twice mails once. */
export function createAccountTasks({ db, now = () => new Date() }: AccountTaskDeps) {
  return {
    [passwordResetKind]: async ({ payload }: { readonly payload: Record<string, unknown> }): Promise<undefined> => {
      const { userId, linkId } = payload
      if (typeof userId !== 'number' || typeof linkId !== 'string') return undefined
      return await db.transaction(async (trx) => {
        const user = await lockUser(trx, userId)
        // A closed account stays closed, even for the reader of its mail.
        if (!user || user.closedAt !== null || (await trx('account_links').where({ id: linkId }).first('id')))
          return undefined
        await mailLink(trx, user, { purpose: 'reset', id: linkId }, now())
        return undefined
      })
    },
  }
}
