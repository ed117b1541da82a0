import { useMemo, useState } from 'react'
import type { RefusedChange, StrandedJob, StrandedJobs, AdminAccount, AdminStats } from '#shared/admin/admin-calls.ts'
import type { AccountPage } from '#shared/admin/admin-account-calls.ts'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import type { Series } from '#shared/admin/series-calls.ts'
import { call, Unreachable, type Answered } from '../sync/index.ts'
import { accountAnswer, useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'
import { didNotWork } from '../ui/forms/failure-toast.ts'
import { toast } from '../ui/toast.ts'

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

/** In memory only, as all that is about other people. */
export function useAdminAccount(id: number): Answered<AccountPage> {
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

export const useAdminSeries = (by: SeriesStep): Answered<Series> => useAccountAnswer(series[by])

export const usePlans = accountAnswer({ call: (signal) => call('listPlans', { signal }) })

export const useBrowserErrors = accountAnswer({ call: (signal) => call('listBrowserErrors', { signal }) })

export const usePromoCodes = accountAnswer({ call: (signal) => call('listPromoCodes', { signal }) })

const useStranded = accountAnswer<{ readonly jobs: StrandedJobs; readonly refused: readonly RefusedChange[] }>({
  async call(signal) {
    const [jobs, refused] = await Promise.all([
      call('listStrandedJobs', { signal }),
      call('listRefusedChanges', { signal }),
    ])
    return { jobs, refused }
  },
})

export type Operation = ReturnType<typeof useOperation>

/** What has failed for good, and what can be done about it, one thing at a time. */
export function useOperation() {
  const stranded = useStranded()
  const [doing, setDoing] = useState<string | null>(null)

  async function act(name: string, work: () => Promise<{ title: string; description?: string }>): Promise<void> {
    if (doing !== null) return
    setDoing(name)
    try {
      toast(await work())
    } catch (error) {
      didNotWork(
        error instanceof Unreachable ? new Error('There is no connection right now. Nothing was changed.') : error,
      )
    } finally {
      setDoing(null)
      void stranded.ask()
    }
  }

  return {
    stranded,
    doing,
    retry: (job: StrandedJob, of: 'job' | 'kind') =>
      void act(`retry ${of === 'kind' ? job.kind : job.id}`, async () => {
        const { count } = await call('retryJob', { params: { id: job.id }, body: { of } })
        if (count === 0) return { title: 'Nothing to run', description: 'It had been dealt with already.' }
        return {
          title: count === 1 ? 'Running again' : `${count} jobs run again`,
          description: 'What fails once more comes back to this list.',
        }
      }),
    discard: (job: StrandedJob) =>
      void act(`discard ${job.id}`, async () => {
        const { count } = await call('discardJob', { params: { id: job.id } })
        return count === 0
          ? { title: 'Nothing to discard', description: 'It had been dealt with already.' }
          : { title: 'Job discarded' }
      }),
    askForAnotherTry: (change: RefusedChange) =>
      void act(`ask ${change.id}`, async () => {
        await call('askForAnotherTry', { params: { id: change.id } })
        return { title: 'The phone will say so', description: 'Its owner sees it beside the change and decides.' }
      }),
    putAside: (change: RefusedChange) =>
      void act(`aside ${change.id}`, async () => {
        await call('putRefusedChangeAside', { params: { id: change.id } })
        return { title: 'Put aside', description: 'It comes back when it happens again.' }
      }),
  }
}
