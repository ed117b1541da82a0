import { NotebookPen } from 'lucide-react'
import { memo } from 'react'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { formatShortDay } from '../../page/local-time.ts'
import { fullName, initialsOf, workLine } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { ListProps } from './list-props.ts'
import { HereButton, StarButton } from './marks.tsx'
import { ChangedMark } from './public-changes.tsx'
import { ViewButton } from './view-button.tsx'

/** One applicant on a phone: who, why in two lines, and the decision in the thumb's reach. */
export const ApplicationCard = memo(function ApplicationCard({
  row,
  current,
  chosen,
  now,
  actions,
  selecting,
  onToggle,
  here,
  onView,
}: ListProps & { row: ApplicationRow; current: boolean; chosen: boolean }) {
  const { application } = row
  const why = application.whyBeacon || application.bio
  return (
    <Card
      as="li"
      padding="tight"
      data-row={application.id}
      aria-current={current || undefined}
      className={current || chosen ? 'outline-2 outline-primary' : ''}
    >
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3">
        <div className="row-span-2">
          {selecting ? (
            <Checkbox
              label={`Select ${fullName(application)}`}
              checked={chosen}
              onChange={() => onToggle(application.id)}
              className="-m-1"
            />
          ) : (
            <Avatar initials={initialsOf(application)} />
          )}
        </div>
        <h3 className="min-w-0 self-center text-lg leading-snug break-words">{fullName(application)}</h3>
        <div className="-my-2 -mr-2 flex items-center">
          <StarButton row={row} actions={actions} />
          <ViewButton row={row} onView={onView} />
        </div>
        <div className="col-span-2 col-start-2 mt-1 text-sm text-muted">
          <p className="line-clamp-2 [overflow-wrap:anywhere]">{workLine(application) ?? application.email}</p>
          <p>
            {application.experience ? `${application.experience} · ` : ''}
            {formatShortDay(application.createdAt, now)}
          </p>
        </div>
      </div>
      {why && <p className="mt-2 line-clamp-2 text-base [overflow-wrap:anywhere]">{why}</p>}
      <div className="mt-2 empty:hidden">
        <ChangedMark row={row} />
      </div>
      {application.note && (
        <p className="mt-2 flex gap-2 text-sm text-muted">
          <NotebookPen aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
            <span className="sr-only">Private note: </span>
            {application.note}
          </span>
        </p>
      )}
      {/* On a day of the event the place of "Here" is kept from the start: no card grows under the finger that approves. */}
      <div
        className={`mt-3 flex items-center gap-3 max-[22.5rem]:min-h-13.5 ${here.offered ? 'min-h-13.5' : 'min-h-7'}`}
      >
        <div className="min-w-0 flex-1">
          <ApplicationMarks row={row} />
        </div>
        {here.offered && application.status === 'approved' && !selecting && (
          <HereButton row={row} here={here.of(application)} actions={actions} compact />
        )}
      </div>
      <div className="mt-3 empty:hidden">{!selecting && <DecisionButtons row={row} actions={actions} />}</div>
    </Card>
  )
})
