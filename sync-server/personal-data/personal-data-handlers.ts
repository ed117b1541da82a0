import type { Knex } from 'knex'
import { checkCurrentPassword } from '../accounts/current-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { findOwn } from '../applications/own-application-store.ts'
import { signedIn } from '../calls/access.ts'
import { beforeTransaction, type Room } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { deleteApplications } from './applicant-data.ts'
import { exportAccount } from './export-account.ts'

/** The whole answer is in memory, and covers are most of it. */
const mostCoverBytes = 16 * 1024 * 1024

export function personalDataHandlers(passwords: Passwords): Room<'downloadData' | 'deleteOwnApplication'> {
  return {
    downloadData: beforeTransaction(async (call) => {
      await checkCurrentPassword(call, passwords, { password: call.body.password })
      await call.spend('data-download', `user:${signedIn(call).userId}`)
      return async ({ db, caller, now }) => {
        const { userId } = signedIn({ caller })
        if ((await countCoverBytes(db, userId)) > mostCoverBytes)
          throw new ProblemError(
            'unavailable',
            'Your data is too large to be downloaded here. Please write to us for it.',
          )
        return { exportedAt: now.toISOString(), ...(await exportAccount(db, userId)) }
      }
    }),

    deleteOwnApplication: async (call) => {
      const { id } = await findOwn(call, call.body.token)
      const { db, requestId, now, touch } = call
      const { applications, beacons } = await deleteApplications(db, [id], { emails: [], requestId, now })
      for (const { row, event } of applications)
        touch({ what: 'application', id: row.id, organizerId: event.organizerId })
      for (const { event } of beacons) touch({ what: 'opening', id: event.id, organizerId: event.organizerId })
      return undefined
    },
  }
}

async function countCoverBytes(db: Knex, userId: number): Promise<number> {
  const rows: { bytes: number }[] = await db('event_covers as c')
    .join('events as e', 'e.id', 'c.eventId')
    .where('e.organizerId', userId)
    .select(db.raw('coalesce(sum(octet_length(c.body)), 0)::float8 as bytes'))
  return rows[0]?.bytes ?? 0
}
