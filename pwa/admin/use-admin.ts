import type { AdminAccount, AdminStats } from '#shared/admin/admin-calls.ts'
import { call } from '../api/call.ts'
import type { Answered, Kept, When } from '../api/question.ts'
import { readSetting, writeSetting } from '../device/device-db.ts'
import { useAccountAnswer, type AccountQuestion } from '../session/account-answers.ts'

export interface Platform {
  readonly stats: AdminStats
  /** Only as long as the app is open: other people's addresses are not kept on a device. */
  readonly accounts: readonly AdminAccount[] | null
}

const pageSize = 500

const platform: AccountQuestion<Platform> = {
  async call(signal) {
    const [stats, accounts] = await Promise.all([call('getAdminStats', { signal, query: undefined }), listAll(signal)])
    return { stats, accounts }
  },
  placeFor(userId) {
    // Goes when the account leaves the device, with everything else under this name.
    const setting = `user:${userId}/admin-stats`
    return {
      async read() {
        const kept = await readSetting<Kept<AdminStats>>(setting)
        return kept && { value: { stats: kept.value, accounts: null }, asOf: kept.asOf }
      },
      keep: ({ value: { stats }, asOf }) => writeSetting(setting, { value: stats, asOf } satisfies Kept<AdminStats>),
    }
  },
}

const when: When<Platform> = { reachable: 'after failure' }

/** What an admin sees of the platform; the numbers of the last visit stay readable without a network. */
export const useAdmin = (): Answered<Platform> => useAccountAnswer(platform, when)

async function listAll(signal: AbortSignal): Promise<readonly AdminAccount[]> {
  const all: AdminAccount[] = []
  for (;;) {
    const page = await call('listAccounts', { signal, query: { limit: pageSize, after: all.at(-1)?.id ?? 0 } })
    all.push(...page)
    if (page.length < pageSize) return all
  }
}
