import type { Knex } from 'knex'
import { deletionGraceDays } from '#shared/accounts/deletion-grace.ts'
import { mailAccountDeletion } from '../accounts/account-mails.ts'
import { checkCurrentPassword } from '../accounts/current-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { changeUser, existing, lockUser } from '../accounts/user-store.ts'
import { findOwn } from '../applications/own-application-store.ts'
import { signedIn } from '../calls/access.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { deleteApplications } from './applicant-data.ts'
import { exportAccount } from './export-account.ts'

/** The whole answer is in memory, and covers are most of it. */
const maxCoverBytes = 16 * 1024 * 1024

const dayMs = 86_400_000

export function personalDataHandlers(passwords: Passwords) {
  return {
    downloadData: {
      before: async (call) => {
        await checkCurrentPassword(call, passwords, { password: call.body.password })
        await call.spend('data-download', `user:${signedIn(call).userId}`)
        return async ({ db, caller, now }) => {
          const { userId } = signedIn({ caller })
          if ((await countCoverBytes(db, userId)) > maxCoverBytes)
            throw new ProblemError(
              'unavailable',
              'Your data is too large to be downloaded here. Please write to us for it.',
            )
          return { exportedAt: now.toISOString(), ...(await exportAccount(db, userId)) }
        }
      },
    },

    requestAccountDeletion: {
      before: async (call) => {
        const { id } = await checkCurrentPassword(call, passwords, { password: call.body.password })
        await call.spend('account-deletion', `user:${id}`)
        return async ({ db, now, touch }) => {
          const user = existing(await lockUser(db, id))
          if (user.isAdmin || user.demoRole !== null)
            throw new ProblemError('forbidden', 'This account belongs to the site. Only its operator can delete it.')
          if (user.deletesAt !== null) return { deletesAt: user.deletesAt.toISOString() }
          const deletesAt = new Date(now.getTime() + deletionGraceDays * dayMs)
          await changeUser(db, id, { deletesAt })
          await mailAccountDeletion(db, user, { step: 'asked', deletesAt })
          touch({ what: 'account', id })
          return { deletesAt: deletesAt.toISOString() }
        }
      },
    },

    keepAccount: {
      before: async (call) => {
        const { id } = await checkCurrentPassword(call, passwords, { password: call.body.password })
        return async ({ db, touch }) => {
          const user = existing(await lockUser(db, id))
          if (user.deletesAt === null) return undefined
          await changeUser(db, id, { deletesAt: null })
          await mailAccountDeletion(db, user, { step: 'kept', deletesAt: user.deletesAt })
          touch({ what: 'account', id })
          return undefined
        }
      },
    },

    deleteOwnApplication: async (call) => {
      const { id } = await findOwn(call, call.body.token)
      await call.spend('own-deletion', call.address)
      const { db, requestId, now, touch } = call
      const { applications, beacons } = await deleteApplications(db, [id], { emails: [], requestId, now })
      for (const { id, organizerId } of applications) touch({ what: 'application', id, organizerId })
      for (const { eventId, organizerId } of beacons) touch({ what: 'opening', id: eventId, organizerId })
      return undefined
    },
  } satisfies Partial<Handlers>
}

async function countCoverBytes(db: Knex, userId: number): Promise<number> {
  const rows: { bytes: number }[] = await db('event_covers as c')
    .join('events as e', 'e.id', 'c.eventId')
    .where('e.organizerId', userId)
    .select(db.raw('coalesce(sum(octet_length(c.body)), 0)::float8 as bytes'))
  return rows[0]?.bytes ?? 0
}
