import type { ApplicationRow } from '../../replica/rows.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatShortDay } from '../local-time.ts'
import { fullName, initialsOf, workLine } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { DecisionActions } from './decision-buttons.tsx'

/** One applicant on a phone: who, why in two lines, and the decision in the thumb's reach. */
export function ApplicationCard({
  row,
  current,
  now,
  actions,
  onView,
}: {
  row: ApplicationRow
  current: boolean
  now: Date
  actions: DecisionActions
  onView: (row: ApplicationRow) => void
}) {
  const { application } = row
  const why = application.whyBeacon || application.bio
  return (
    <Card
      as="li"
      padding="tight"
      data-row={application.id}
      aria-current={current || undefined}
      className={current ? 'outline-2 outline-primary' : ''}
    >
      <div className="flex items-start gap-3">
        <Avatar initials={initialsOf(application)} />
        <div className="min-w-0 flex-1">
          <h3 className="text-lg leading-snug">{fullName(application)}</h3>
          <p className="text-sm text-muted">{workLine(application) ?? application.email}</p>
          <p className="text-sm text-muted">
            {application.experience ? `${application.experience} · ` : ''}
            {formatShortDay(application.createdAt, now)}
          </p>
        </div>
        <Button
          variant="ghost"
          size="small"
          className="-mt-1 -mr-2"
          data-view={application.id}
          aria-label={`View ${fullName(application)}`}
          onClick={() => onView(row)}
        >
          View
        </Button>
      </div>
      {why && <p className="mt-2 line-clamp-2 text-base">{why}</p>}
      <div className="mt-3 flex min-h-7 items-center max-[22.5rem]:min-h-13.5">
        <ApplicationMarks row={row} />
      </div>
      <div className="mt-3 empty:hidden">
        <DecisionButtons row={row} actions={actions} />
      </div>
    </Card>
  )
}
