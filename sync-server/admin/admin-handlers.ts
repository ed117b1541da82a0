import type { AdminAccount } from '#shared/admin/admin-calls.ts'
import type { Room } from '../calls/handler.ts'
import { listAccountLines, readStats, type AccountLine } from './admin-store.ts'

/** What an admin sees of the platform; nothing here changes anybody's data. */
export const adminHandlers: Room<'getAdminStats' | 'listAccounts'> = {
  getAdminStats: async ({ db, now }) => await readStats(db, now),
  listAccounts: async ({ db, now, query }) => (await listAccountLines(db, now, query)).map(presentAccount),
}

function presentAccount(row: AccountLine): AdminAccount {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    organizationName: row.organizationName,
    subscription: row.planName === null ? null : { planName: row.planName },
    eventCount: row.eventCount,
    createdAt: row.createdAt.toISOString(),
    isActive: row.isActive,
  }
}
