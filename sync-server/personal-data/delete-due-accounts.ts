import type { Knex } from 'knex'
import { mailAccountDeletion } from '../accounts/account-mails.ts'
import { lockUser } from '../accounts/user-store.ts'
import { queueCustomerDeletion } from '../billing/delete-customer.ts'
import { deleteAccount } from './delete-account.ts'

/** Each in a transaction of its own. Answers how many. */
export async function deleteDueAccounts(db: Knex, now: Date): Promise<number> {
  const due: number[] = await db('users').where('deletesAt', '<=', now).orderBy('id').pluck('id')
  let deleted = 0
  for (const id of due) if (await db.transaction((trx) => deleteIfDue(trx, id, now))) deleted += 1
  return deleted
}

async function deleteIfDue(trx: Knex.Transaction, userId: number, now: Date): Promise<boolean> {
  const user = await lockUser(trx, userId)
  // Kept, or deleted by another process, meanwhile.
  if (!user?.deletesAt || user.deletesAt > now) return false
  await mailAccountDeletion(trx, user, { step: 'done', deletesAt: user.deletesAt })
  if (user.stripeCustomerId !== null) await queueCustomerDeletion(trx, user.stripeCustomerId)
  await deleteAccount(trx, userId, { now, tellApplicants: true, requestId: 'grace' })
  return true
}
