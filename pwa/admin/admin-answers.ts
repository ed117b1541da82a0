import { useMemo } from 'react'
import type { AdminAccount, AdminStats, FailedJob } from '#shared/admin/admin-calls.ts'
import type { AccountPage } from '#shared/admin/admin-account-calls.ts'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import type { Series } from '#shared/admin/series-calls.ts'
import { call, type questions } from '../sync/index.ts'
import { accountAnswer, useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'

const pageSize = 500

/** The numbers of the last visit stay readable without a network. */
export const useAdminStats = accountAnswer<AdminStats>({
  call: (signal) => call('getAdminStats', { signal, query: undefined }),
  onDisk: 'admin-stats',
})

/** In memory only: other people's addresses are not stored on a device. */
export const useAdminAccounts = accountAnswer<readonly AdminAccount[]>({
  call: (signal) => everyPage((query) => call('listAccounts', { signal, query })),
})

async function everyPage<T extends { readonly id: number }>(
  page: (query: { readonly limit: number; readonly after: number }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const found = await page({ limit: pageSize, after: all.at(-1)?.id ?? 0 })
    all.push(...found)
    if (found.length < pageSize) return all
  }
}

export const useAdminEvents = accountAnswer<readonly AdminEvent[]>({
  call: (signal) => everyPage((query) => call('listAdminEvents', { signal, query })),
})

/** The answer is kept in memory only, as everything about other people is. */
export function useAdminAccount(id: number): questions.Answered<AccountPage> {
  const question = useMemo<AccountQuestion<AccountPage>>(
    () => ({ call: (signal) => call('getAccount', { signal, params: { id } }), missingStatuses: [404] }),
    [id],
  )
  return useAccountAnswer(question)
}

export type SeriesStep = 'day' | 'month'

const seriesBy = (by: SeriesStep): AccountQuestion<Series> => ({
  call: (signal) => call('getAdminSeries', { signal, query: { by } }),
})
const series = { day: seriesBy('day'), month: seriesBy('month') }

export const useAdminSeries = (by: SeriesStep): questions.Answered<Series> => useAccountAnswer(series[by])

export const usePlans = accountAnswer({ call: (signal) => call('listPlans', { signal }) })

export const usePromoCodes = accountAnswer({ call: (signal) => call('listPromoCodes', { signal }) })

export const useFailedJobs = accountAnswer<readonly FailedJob[]>({
  call: (signal) => call('listFailedJobs', { signal }),
})
