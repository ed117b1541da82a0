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
    organizationName: row.organization_name,
    subscription: row.plan_name === null ? null : { planName: row.plan_name },
    eventCount: row.event_count,
    createdAt: row.created_at.toISOString(),
    isActive: row.is_active,
  }
}
