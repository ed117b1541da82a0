import { formatDate } from '#shared/time/date-range.ts'

/** A calendar day ('2026-03-01') as a leaf of the calendar. */
export function DayLeaf({ date }: { date: string }) {
  const [month = '', day = ''] = formatDate(date).split(/[ ,]+/)
  return <DateTile month={month.slice(0, 3)} day={day} />
}

/** A leaf of the calendar, as a picture of the date: the date in words stands beside it for screen readers. */
function DateTile({
  month,
  day,
}: {
  /** Short, as in "Mar". */
  month: string
  day: string
}) {
  return (
    <span
      aria-hidden="true"
      className="flex w-14 shrink-0 flex-col self-start overflow-hidden rounded-xl border border-base-300 bg-base-100 text-center leading-none"
    >
      <span className="bg-hall py-1 text-xs font-semibold tracking-wide text-hall-signal uppercase">{month}</span>
      <span className="py-2 text-xl font-semibold tabular-nums">{day}</span>
    </span>
  )
}
