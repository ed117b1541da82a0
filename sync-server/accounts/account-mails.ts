import type { Knex } from 'knex'
import { outgoingName } from '#shared/text/outgoing-name.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import { insertJob } from '../jobs/job-store.ts'
import { type NewMail, queueMails } from '../mail/mail-store.ts'
import { issueLink, newLinkId } from './account-links.ts'
import { lockUser } from './user-store.ts'

type AccountMailPayload =
  | Record<string, never>
  | { readonly linkId: string }
  | { readonly linkId: string; readonly step: 'asked' | 'done' }

/** Empty for an unconfirmed address: a stranger must not read what another person typed as a name. */
export function nameInMail({ username, emailVerifiedAt: verified }: UserRow): string {
  return verified === null ? '' : outgoingName(username)
}

const recipient = (user: UserRow, address = user.email): NewMail['to'] => ({ name: nameInMail(user), address })

const mailOf = (
  user: UserRow,
  mail: Pick<NewMail, 'kind' | 'key' | 'to'> & { readonly payload: AccountMailPayload },
): NewMail => ({ ...mail, userId: user.id })

/** The caller holds the user's row. */
export async function mailVerification(trx: Knex, user: UserRow, now: Date): Promise<void> {
  const linkId = await issueLink(trx, { userId: user.id, purpose: 'verify', email: user.email }, now)
  const mail = { kind: 'verify-email', key: `verify-email:${linkId}`, to: recipient(user) } as const
  await queueMails(trx, [mailOf(user, { ...mail, payload: { linkId } })])
}

/** The caller holds the user's row. */
async function mailPasswordReset(trx: Knex, user: UserRow, linkId: string, now: Date): Promise<void> {
  await issueLink(trx, { id: linkId, userId: user.id, purpose: 'reset', email: user.email }, now)
  const mail = { kind: 'password-reset', key: `password-reset:${linkId}`, to: recipient(user) } as const
  await queueMails(trx, [mailOf(user, { ...mail, payload: { linkId } })])
}

/**
 * Mails a link to the new address and a notice to the present one, whose reader can still stop the change. The caller holds
 * the user's row.
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

/** The caller holds the user's row. */
export async function mailContactLink(trx: Knex, user: UserRow, email: string, now: Date): Promise<void> {
  const linkId = await issueLink(trx, { userId: user.id, purpose: 'contact', email }, now)
  const mail = { kind: 'verify-email', key: `verify-email:${linkId}`, to: { name: '', address: email } } as const
  await queueMails(trx, [mailOf(user, { ...mail, payload: { linkId } })])
}

export async function mailEmailChanged(trx: Knex, before: UserRow, linkId: string): Promise<void> {
  await queueMails(trx, [changeNotice(before, linkId, 'done')])
}

export async function mailPasswordChanged(trx: Knex, user: UserRow, now: Date): Promise<void> {
  const mail = { kind: 'password-changed', key: `password-changed:${user.id}:${now.toISOString()}` } as const
  await queueMails(trx, [mailOf(user, { ...mail, to: recipient(user), payload: {} })])
}

/** At the wish, and once the account is deleted: by then the mail belongs to no account. */
export async function mailAccountDeletion(
  trx: Knex,
  user: UserRow,
  { step, deletesAt }: { readonly step: 'asked' | 'done'; readonly deletesAt: Date },
): Promise<void> {
  const key = `account-deletion:${step}:${user.id}:${deletesAt.toISOString()}`
  const mail: NewMail = { kind: 'account-deletion', key, to: recipient(user), payload: { step } }
  await queueMails(trx, [step === 'asked' ? { ...mail, userId: user.id } : mail])
}

const changeNotice = (user: UserRow, linkId: string, step: 'asked' | 'done'): NewMail =>
  mailOf(user, {
    kind: 'email-changed',
    key: `email-changed:${step}:${linkId}`,
    to: recipient(user),
    payload: { linkId, step },
  })

const passwordResetKind = 'password-reset'

/** The same statement whether or not an account has the address, so that neither answer nor timing tells. */
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
        await mailPasswordReset(trx, user, linkId, now())
        return undefined
      })
    },
  }
}
