import { useMemo } from 'react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { cameOn, daysOf } from '#shared/applications/presence.ts'
import { formatDate } from '#shared/time/date-range.ts'
import type { EventDays } from '#shared/time/event-time.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import { DefinitionList } from '../../../ui/definition-list.tsx'

interface DayFigures {
  readonly day: string
  readonly came: number
  readonly didNotCome: number
}

/** Counts how many approved Beacons came on each day with an answer, and of how many it is known that they did not. */
export function presenceFigures(applications: readonly ApplicationDocument[], event: EventDays): DayFigures[] {
  const answered = applications.filter(
    ({ status, arrivedAt, presence }) => status === 'approved' && (arrivedAt !== null || presence),
  )
  return daysOf(event).flatMap((day) => {
    const answers = answered.map((application) => cameOn(application, event, day))
    const came = answers.filter((answer) => answer === true).length
    const didNotCome = answers.filter((answer) => answer === false).length
    return came + didNotCome > 0 ? [{ day, came, didNotCome }] : []
  })
}

export function PresenceFigures({ rows, event }: { rows: readonly ApplicationRow[]; event: EventDays }) {
  const figures = useMemo(
    () =>
      presenceFigures(
        rows.map(({ application }) => application),
        event,
      ),
    [rows, event],
  )
  if (figures.length === 0) return null
  return (
    <div className="mt-6">
      <h3 className="mb-2 text-base font-medium">At the event</h3>
      <DefinitionList
        lines
        items={figures.map(({ day, came, didNotCome }) => ({
          term: formatDate(day),
          detail: [`${came} came`, ...(didNotCome > 0 ? [`${didNotCome} did not come`] : [])].join(', '),
        }))}
      />
    </div>
  )
}
