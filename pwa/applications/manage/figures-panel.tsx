import { memo, useMemo } from 'react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { formatDate, formatDateRange } from '#shared/time/date-range.ts'
import type { ApplicationCounts } from '../../replica/view/rows.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { figuresOf, inWords } from './application-figures.ts'

/** When applications came, how they stand and how fast they were answered: from what is on this phone. */
export const FiguresPanel = memo(function FiguresPanel({
  applications,
  counts,
  timeZone,
}: {
  applications: readonly ApplicationDocument[]
  counts: ApplicationCounts
  timeZone: string
}) {
  const { spans, spanDays, answered, medianAnswerMs } = useMemo(
    () => figuresOf(applications, timeZone),
    [applications, timeZone],
  )
  if (applications.length === 0) return null
  return (
    <Card as="section" aria-labelledby="figures">
      <CardTitle id="figures" aside={<span className="text-sm text-muted">Basic analytics</span>}>
        Applications
      </CardTitle>
      <dl className="mb-5 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-sm text-muted">Applied</dt>
          <dd className="text-3xl font-semibold tracking-tight tabular-nums">{applications.length}</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Half answered within</dt>
          <dd className="text-xl font-semibold">{medianAnswerMs === null ? '–' : inWords(medianAnswerMs)}</dd>
          <dd className="text-sm text-muted">{answered} answered</dd>
        </div>
      </dl>
      <ShareBar
        label="By status"
        parts={[
          { name: 'Pending', value: counts.pending, tone: 'signal' },
          { name: 'Approved', value: counts.approved, tone: 'success' },
          { name: 'Rejected', value: counts.rejected, tone: 'quiet' },
        ]}
      />
      <div className="mt-6">
        <BarChart
          title={spanDays === 1 ? 'Applications per day' : 'Applications per week'}
          nameHeader={spanDays === 1 ? 'Day' : 'Week'}
          valueHeader="Applications"
          bars={spans.map(({ from, to, count }) => ({
            name: spanDays === 1 ? formatDate(from) : formatDateRange(from, to),
            value: count,
          }))}
        />
      </div>
    </Card>
  )
})
