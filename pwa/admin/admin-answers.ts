import { useMemo, useState } from 'react'
import type { RefusedChange, StrandedJob, StrandedJobs, AdminAccount, AdminStats } from '#shared/admin/admin-calls.ts'
import type { AccountPage } from '#shared/admin/admin-account-calls.ts'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import type { Series } from '#shared/admin/series-calls.ts'
import { call, Unreachable, type Failure, type When, type Answered, type Kept } from '../sync/index.ts'
import { readSetting, writeSetting } from '../device/device-db.ts'
import { accountAnswer, useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'
import { toast } from '../ui/toast.ts'

interface Platform {
  readonly stats: AdminStats
  /** In memory only: other people's addresses are not stored on a device. */
  readonly accounts: readonly AdminAccount[] | null
}

const when: When<unknown> = { reachable: 'after failure' }
const pageSize = 500

/** The numbers of the last visit stay readable without a network. */
export const useAdmin = accountAnswer<Platform>(
  {
    async call(signal) {
      const [stats, accounts] = await Promise.all([
        call('getAdminStats', { signal, query: undefined }),
        everyPage((query) => call('listAccounts', { signal, query })),
      ])
      return { stats, accounts }
    },
    cacheFor(userId) {
      // The prefix makes it go when the account leaves the device.
      const setting = `user:${userId}/admin-stats`
      return {
        async read() {
          const kept = await readSetting<Kept<AdminStats>>(setting)
          return kept && { value: { stats: kept.value, accounts: null }, asOf: kept.asOf }
        },
        keep: ({ value: { stats }, asOf }) => writeSetting(setting, { value: stats, asOf } satisfies Kept<AdminStats>),
      }
    },
  },
  when,
)

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

export const useAdminEvents = accountAnswer<readonly AdminEvent[]>(
  { call: (signal) => everyPage((query) => call('listAdminEvents', { signal, query })) },
  when,
)

/** In memory only, as all that is about other people. */
export function useAdminAccount(id: number): Answered<AccountPage> {
  const question = useMemo<AccountQuestion<AccountPage>>(
    () => ({ call: (signal) => call('getAccount', { signal, params: { id } }), missingStatuses: [404] }),
    [id],
  )
  return useAccountAnswer(question, when)
}

export type SeriesStep = 'day' | 'month'

const seriesBy = (by: SeriesStep): AccountQuestion<Series> => ({
  call: (signal) => call('getAdminSeries', { signal, query: { by } }),
})
const series = { day: seriesBy('day'), month: seriesBy('month') }

export const useAdminSeries = (by: SeriesStep): Answered<Series> => useAccountAnswer(series[by], when)

export const usePlans = accountAnswer({ call: (signal) => call('listPlans', { signal }) }, when)

export const useBrowserErrors = accountAnswer({ call: (signal) => call('listBrowserErrors', { signal }) }, when)

export const usePromoCodes = accountAnswer({ call: (signal) => call('listPromoCodes', { signal }) }, when)

export interface Operation {
  /** Null until the first answer, which stays while the server is unreachable. */
  readonly jobs: StrandedJobs | null
  readonly refused: readonly RefusedChange[] | null
  readonly failure: Failure | null
  readonly doing: string | null
  readonly ask: () => Promise<void>
  readonly retry: (job: StrandedJob, of: 'job' | 'kind') => void
  readonly discard: (job: StrandedJob) => void
  readonly askForAnotherTry: (change: RefusedChange) => void
  readonly putAside: (change: RefusedChange) => void
}

const useStranded = accountAnswer<{ readonly jobs: StrandedJobs; readonly refused: readonly RefusedChange[] }>(
  {
    async call(signal) {
      const [jobs, refused] = await Promise.all([
        call('listStrandedJobs', { signal }),
        call('listRefusedChanges', { signal }),
      ])
      return { jobs, refused }
    },
  },
  when,
)

export function useOperation(): Operation {
  const { answer, failure, ask } = useStranded()
  const [doing, setDoing] = useState<string | null>(null)

  async function act(name: string, work: () => Promise<{ title: string; description?: string }>): Promise<void> {
    if (doing !== null) return
    setDoing(name)
    try {
      toast(await work())
    } catch (error) {
      toast({
        title: 'That did not work',
        description:
          error instanceof Unreachable
            ? 'There is no connection right now. Nothing was changed.'
            : error instanceof Error
              ? error.message
              : String(error),
        variant: 'destructive',
      })
    } finally {
      setDoing(null)
      void ask()
    }
  }

  return {
    jobs: answer?.jobs ?? null,
    refused: answer?.refused ?? null,
    failure,
    doing,
    ask,
    retry: (job, of) =>
      void act(`retry ${of === 'kind' ? job.kind : job.id}`, async () => {
        const { count } = await call('retryJob', { params: { id: job.id }, body: { of } })
        if (count === 0) return { title: 'Nothing to run', description: 'It had been dealt with already.' }
        return {
          title: count === 1 ? 'Running again' : `${count} jobs run again`,
          description: 'What fails once more comes back to this list.',
        }
      }),
    discard: (job) =>
      void act(`discard ${job.id}`, async () => {
        const { count } = await call('discardJob', { params: { id: job.id } })
        return count === 0
          ? { title: 'Nothing to discard', description: 'It had been dealt with already.' }
          : { title: 'Job discarded' }
      }),
    askForAnotherTry: (change) =>
      void act(`ask ${change.id}`, async () => {
        await call('askForAnotherTry', { params: { id: change.id } })
        return { title: 'The phone will say so', description: 'Its owner sees it beside the change and decides.' }
      }),
    putAside: (change) =>
      void act(`aside ${change.id}`, async () => {
        await call('putRefusedChangeAside', { params: { id: change.id } })
        return { title: 'Put aside', description: 'It comes back when it happens again.' }
      }),
  }
}
