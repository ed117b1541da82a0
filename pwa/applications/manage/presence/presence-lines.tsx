import { formatDate } from '#shared/time/date-range.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import { Button } from '../../../ui/button.tsx'
import type { Arrivals } from '../arrivals.ts'
import type { MarkActions } from '../marks.tsx'
import { fullName } from '../shown-applicant.ts'

interface LinesProps {
  row: ApplicationRow
  arrivals: Arrivals
  actions: MarkActions
}

/** Shows one line for each day that has passed. After the time for corrections the answers are text. */
export function PresenceLines({ row, arrivals, actions }: LinesProps) {
  const { pastDays, days, offered } = arrivals
  if (row.application.status !== 'approved' || pastDays.length === 0) return null
  return (
    <section aria-labelledby="presence">
      <h3 id="presence" className="mb-2 text-lg">
        {days.length === 1 ? 'At the event' : 'Days at the event'}
      </h3>
      <ul className="flex flex-col gap-2">
        {pastDays.map((day) => (
          <li key={day} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span>{days.length === 1 ? fullName(row.application) : formatDate(day)}</span>
            {offered ? (
              <Answers row={row} arrivals={arrivals} actions={actions} day={day} />
            ) : (
              <span className="text-muted">{inWords(arrivals.on(row.application, day))}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const inWords = (came: boolean | undefined) => (came === undefined ? 'Not recorded' : came ? 'Came' : 'Did not come')

/** Pressing the chosen answer takes it back. */
function Answers({ row, arrivals, actions, day }: LinesProps & { day: string }) {
  const given = arrivals.on(row.application, day)
  const name = arrivals.days.length === 1 ? fullName(row.application) : formatDate(day)
  return (
    <span className="flex gap-2">
      {[true, false].map((answer) => (
        <Button
          key={inWords(answer)}
          variant={given === answer ? 'chosen' : 'secondary'}
          size="small"
          aria-pressed={given === answer}
          aria-label={`${inWords(answer)}: ${name}`}
          onClick={() => actions.onPresent(row, given === answer ? null : answer, day, arrivals)}
        >
          {inWords(answer)}
        </Button>
      ))}
    </span>
  )
}
