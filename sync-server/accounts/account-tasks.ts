import type { Knex } from 'knex'
import { newLinkId } from './account-links.ts'
import { mailPasswordReset } from './account-mails.ts'
import { insertJob } from '../jobs/job-store.ts'
import { lockUser } from './user-store.ts'

const passwordResetKind = 'password-reset'

/**
 * Writes down that somebody asked for a new password: the same statement whether or not an account has the address, so
 * that neither the answer nor the time it takes tells. What follows is the worker's.
 */
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

/** What is done for accounts after the answer. Run twice, a task mails once. */
export function createAccountTasks({ db, now = () => new Date() }: AccountTaskDeps) {
  return {
    [passwordResetKind]: async ({ payload }: { readonly payload: Record<string, unknown> }): Promise<undefined> => {
      const { userId, linkId } = payload
      if (typeof userId !== 'number' || typeof linkId !== 'string') return undefined
      return await db.transaction(async (trx) => {
        const user = await lockUser(trx, userId)
        // A closed account is opened by nobody, not even by whoever reads its mail.
        if (!user || user.closedAt !== null || (await trx('account_links').where({ id: linkId }).first('id')))
          return undefined
        await mailPasswordReset(trx, user, linkId, now())
        return undefined
      })
    },
  }
}
