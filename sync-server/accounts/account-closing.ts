import type { Knex } from 'knex'
import { ProblemError } from '../calls/problems.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { cancelMails } from '../mail/mail-store.ts'
import { endLinks } from './account-links.ts'
import { mailAccountClosed } from './account-mails.ts'
import { deletedPassword } from './user-store.ts'

function refuseDeleted({ passwordHash }: UserRow): void {
  if (passwordHash === deletedPassword) throw new ProblemError('not_found', 'This account no longer exists.')
}

/**
 * It admits no sign-in, and nothing in its name leaves any more. The caller holds the user's row and shows the public that
 * its events are gone. Returns whether it was open.
 */
export async function closeAccount(trx: Knex, user: UserRow, now: Date): Promise<boolean> {
  refuseDeleted(user)
  if (user.closedAt !== null) return false
  const { id } = user
  await trx('users').where({ id }).update({ closedAt: now })
  await revokeSessions(trx, { userId: id }, now)
  await endLinks(trx, id, ['reset', 'verify', 'change', 'contact'], now)
  const waiting: string[] = await trx('mails')
    .where({ organizerId: id })
    .whereIn('state', ['held', 'queued'])
    .pluck('key')
  await cancelMails(trx, waiting)
  await mailAccountClosed(trx, user, now)
  return true
}

/** The password is as before. The caller holds the user's row and shows the events. Returns whether it was closed. */
export async function reopenAccount(trx: Knex, user: UserRow): Promise<boolean> {
  refuseDeleted(user)
  if (user.closedAt === null) return false
  await trx('users').where({ id: user.id }).update({ closedAt: null })
  return true
}
