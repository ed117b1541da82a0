import { memo, useMemo } from 'react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { formatDate, formatDateRange } from '#shared/time/date-range.ts'
import { todayIn, type EventDays } from '#shared/time/event-time.ts'
import type { ApplicationRow, EventRow } from '../../sync/index.ts'
import { BarChart, ShareBar } from '../../ui/figures.tsx'
import { Card } from '../../ui/card.tsx'
import { PresenceFigures } from './presence/presence-figures.tsx'

/** A span is one day, or one week where there are many days. */
interface Span {
  readonly from: string
  readonly to: string
  readonly count: number
}

interface Figures {
  readonly spans: readonly Span[]
  readonly spanDays: 1 | 7
  readonly answered: number
  readonly medianAnswerMs: number | null
}

const dayMs = 86_400_000
const maxDays = 21

const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs
const dateOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

/** UTC offsets are multiples of it: each quarter of an hour lies in one day. */
const quarterMs = 900_000

/** Counts by day number of the venue's calendar. Each minute is read and each quarter of an hour converted once. */
function countByDay(applications: readonly ApplicationDocument[], timeZone: string): ReadonlyMap<number, number> {
  const byMinute = new Map<string, number>()
  for (const { createdAt } of applications) {
    const minute = createdAt.slice(0, 'YYYY-MM-DDTHH:MM'.length)
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + 1)
  }
  const byQuarter = new Map<number, number>()
  for (const [minute, count] of byMinute) {
    const quarter = Math.floor(Date.parse(`${minute}Z`) / quarterMs)
    byQuarter.set(quarter, (byQuarter.get(quarter) ?? 0) + count)
  }
  const byDay = new Map<number, number>()
  for (const [quarter, count] of byQuarter) {
    const day = dayNumber(todayIn(timeZone, new Date(quarter * quarterMs)))
    byDay.set(day, (byDay.get(day) ?? 0) + count)
  }
  return byDay
}

/** Walk-ins have not applied, and waited for no answer. */
export function figuresOf(all: readonly ApplicationDocument[], timeZone: string): Figures {
  const applications = all.filter(({ walkedIn }) => !walkedIn)
  const byDay = countByDay(applications, timeZone)
  const answers = applications.flatMap(({ createdAt, decisions }) => {
    // Of many decisions the application carries only the latest.
    const first = decisions[0]?.from === 'pending' && decisions.find(({ by }) => by === 'organizer')
    return first ? [Math.max(0, Date.parse(first.at) - Date.parse(createdAt))] : []
  })
  const first = Math.min(...byDay.keys())
  const last = Math.max(...byDay.keys())
  const spanDays = last - first < maxDays ? 1 : 7
  const spans: Span[] = []
  for (let from = first; from <= last; from += spanDays) {
    const to = from + spanDays - 1
    let count = 0
    for (let day = from; day <= to; day += 1) count += byDay.get(day) ?? 0
    spans.push({ from: dateOf(from), to: dateOf(to), count })
  }
  return { spans, spanDays, answered: answers.length, medianAnswerMs: median(answers) }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

/** '40 minutes', '3 hours', '2 days' */
export function inWords(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000))
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (minutes < 90) return counted(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 36 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day')
}

export const FiguresPanel = memo(function FiguresPanel(props: {
  applications: readonly ApplicationRow[]
  counts: EventRow['counts']
  event: EventDays
}) {
  const { applications, counts, event } = props
  const { timeZone } = event
  const { spans, spanDays, answered, medianAnswerMs } = useMemo(
    () =>
      figuresOf(
        applications.map(({ application }) => application),
        timeZone,
      ),
    [applications, timeZone],
  )
  const walkIns = applications.filter(({ application }) => application.walkedIn).length
  if (applications.length === 0) return null
  return (
    <Card title="Applications" aside={<span className="text-sm text-muted">Basic analytics</span>}>
      <dl className="mb-5 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-sm text-muted">Applied</dt>
          <dd className="text-3xl font-semibold tracking-tight tabular-nums">{applications.length - walkIns}</dd>
          {walkIns > 0 && (
            <dd className="text-sm text-muted">
              and {walkIns} {walkIns === 1 ? 'walk-in' : 'walk-ins'}
            </dd>
          )}
        </div>
        <div>
          <dt className="text-sm text-muted">Median answer time</dt>
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
          points={spans.map(({ from, to, count }) => ({
            name: spanDays === 1 ? formatDate(from) : formatDateRange(from, to),
            value: count,
          }))}
        />
      </div>
      <PresenceFigures rows={applications} event={event} />
    </Card>
  )
})
