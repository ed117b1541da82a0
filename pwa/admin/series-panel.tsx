import { useState } from 'react'
import type { Series, SeriesSpan } from '#shared/admin/series-calls.ts'
import { wholeDollars } from '#shared/billing/plan.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { hasPlans } from '../device/has-plans.ts'
import { Card } from '../ui/card.tsx'
import { FilterChips } from '../ui/choice-fields.tsx'
import { LineChart } from '../ui/figures.tsx'
import { useAdminSeries, type SeriesStep } from './admin-answers.ts'
import { QueryResult } from './query-result.tsx'

const plain = (value: number) => value.toLocaleString('en-US')

const lines: readonly {
  key: Exclude<keyof SeriesSpan, 'from'>
  title: string
  shown: (value: number) => string
}[] = [
  { key: 'users', title: 'New users', shown: plain },
  { key: 'events', title: 'New events', shown: plain },
  { key: 'subscriptions', title: 'New subscriptions', shown: plain },
  { key: 'revenue', title: 'Revenue', shown: wholeDollars },
  { key: 'applications', title: 'Applications', shown: plain },
  { key: 'mailsFailed', title: 'Emails failed', shown: plain },
]

const ofPlans = new Set<string>(['subscriptions', 'revenue'])
const shownLines = () => lines.filter(({ key }) => hasPlans() || !ofPlans.has(key))

const steps: { value: SeriesStep; label: string }[] = [
  { value: 'day', label: '30 days' },
  { value: 'month', label: '12 months' },
]

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Writes 'March 1, 2026' or 'March 2026'. */
export const spanName = (from: string, by: SeriesStep) =>
  by === 'day' ? formatDate(from) : monthFormat.format(new Date(`${from}T00:00:00Z`))

export function SeriesPanel() {
  const [by, setBy] = useState<SeriesStep>('day')
  return (
    <>
      <div className="mb-4">
        <FilterChips label="Time" chips={steps} value={by} onChange={setBy} />
      </div>
      <QueryResult asked={useAdminSeries(by)} what="The figures" level={2}>
        {(series) => <Lines series={series} by={by} />}
      </QueryResult>
    </>
  )
}

function Lines({ series: { spans, mailsWaiting }, by }: { series: Series; by: SeriesStep }) {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {shownLines().map(({ key, title, shown }) => (
          <Card key={key} padding="tight">
            <LineChart
              title={title}
              nameHeader={by === 'day' ? 'Day' : 'Month'}
              hint={key === 'mailsFailed' ? `${plain(mailsWaiting)} waiting now` : undefined}
              shown={shown}
              points={spans.map((span) => ({ name: spanName(span.from, by), value: span[key] }))}
            />
          </Card>
        ))}
      </div>
      <p className="mt-3 text-sm text-muted">
        Days and months are in UTC. Anything deleted since is not counted
        {hasPlans() && ', and money given back is taken off the day it was paid'}.
      </p>
    </>
  )
}
