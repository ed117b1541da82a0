import { seriesSteps, type Series, type SeriesSpan } from '#shared/admin/series-calls.ts'
import type { MailState } from '#shared/mail/mail.ts'
import type { Handlers } from '../calls/handler.ts'

/** Each row counts in the one span in which it came about, as `../db/schema/daily-sums.ts` has added them up. */
const SPANS = `
with spans as (
  select generate_series(last - (:steps - 1) * step, last, step) as starts_at
  from (select date_trunc(:by, cast(:now as timestamptz) at time zone 'UTC') as last, ('1 ' || :by)::interval as step) as clock
), summed as (
  select date_trunc(:by, day::timestamp) as starts_at, line, sum(amount)::bigint as amount from daily_sums
  where day >= (select min(starts_at) from spans) group by 1, 2
)
select to_char(starts_at, 'YYYY-MM-DD') as "from",
  ${[
    ['users', 'users'],
    ['events', 'events'],
    ['subscriptions', 'subscriptions'],
    ['revenue', 'revenue'],
    ['applications', 'applications'],
    ['mails-failed', 'mailsFailed'],
  ]
    .map(([line, name]) => `coalesce(sum(amount) filter (where line = '${line}'), 0)::bigint as "${name}"`)
    .join(',\n  ')}
from spans left join summed using (starts_at) group by starts_at order by starts_at`

export const seriesHandlers = {
  getAdminSeries: async ({ db, now, query: { by } }): Promise<Series> => {
    const { rows } = await db.raw<{ rows: SeriesSpan[] }>(SPANS, { by, now, steps: seriesSteps[by] })
    const waiting: { count: number }[] = await db('mails')
      .whereIn('state', ['held', 'queued', 'sending'] satisfies MailState[])
      .select(db.raw('count(*)::int as count'))
    return { spans: rows, mailsWaiting: waiting[0]?.count ?? 0 }
  },
} satisfies Partial<Handlers>
