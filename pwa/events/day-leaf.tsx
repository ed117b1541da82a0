import { formatDate } from '#shared/time/date-range.ts'
import { DateTile } from '../ui/date-tile.tsx'

/** A calendar day ('2026-03-01') as a leaf of the calendar. */
export function DayLeaf({ date }: { date: string }) {
  const [month = '', day = ''] = formatDate(date).split(/[ ,]+/)
  return <DateTile month={month.slice(0, 3)} day={day} />
}
