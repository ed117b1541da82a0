import { memo } from 'react'
import { formatShortDay } from '../../ui/page/local-time.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { fullName, initialsOf, workLine } from './shown-applicant.ts'
import {
  ChangedLabel,
  ComingLabel,
  HereInList,
  PrivateNote,
  SelectBox,
  ViewButton,
  type ApplicantList,
} from './application-row.tsx'
import { ApplicationBadges, DecisionButtons } from './decision-buttons.tsx'
import { StarButton } from './marks.tsx'
import { FailureBoundary, undrawnRow } from '../../ui/failure-boundary.tsx'
import type { ApplicantListProps } from './applications-table.tsx'
import { useVirtualRows } from './virtual-rows.ts'

const gap = 12

export function ApplicationsCards({ ids, byId, list, currentId, chosen }: ApplicantListProps) {
  const { rows, after, list: ul, measure } = useVirtualRows({ ids, currentId, estimate: 268, gap, overscan: 6 })
  return (
    <ul ref={ul} aria-label="Applicants" className="[overflow-anchor:none]" style={{ paddingBottom: after }}>
      {rows.map(({ id, index, before }) => {
        const row = byId.get(id)
        return (
          row && (
            <li
              key={id}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={ids.length}
              style={{ marginTop: before }}
            >
              <FailureBoundary of={row} renderInstead={() => <p className="px-4 py-3 text-muted">{undrawnRow}</p>}>
                <ApplicationCard row={row} current={id === currentId} chosen={chosen.has(id)} list={list} />
              </FailureBoundary>
            </li>
          )
        )
      })}
    </ul>
  )
}

const ApplicationCard = memo(function ApplicationCard(props: {
  row: ApplicationRow
  list: ApplicantList
  current: boolean
  chosen: boolean
}) {
  const { row, list, current, chosen } = props
  const { application } = row
  const { actions, selecting } = list
  const why = application.whyBeacon || application.bio
  return (
    <Card
      as="article"
      padding="tight"
      data-row={application.id}
      aria-current={current || undefined}
      className={`scroll-mt-16 ${current || chosen ? 'outline-2 outline-primary' : ''}`}
    >
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3">
        <div className="row-span-2">
          {selecting ? (
            <SelectBox application={application} list={list} chosen={chosen} className="-m-1" />
          ) : (
            <Avatar initials={initialsOf(application)} />
          )}
        </div>
        <h3 className="min-w-0 self-center text-lg leading-snug break-words">{fullName(application)}</h3>
        <div className="-my-2 -mr-2 flex items-center">
          <StarButton row={row} actions={actions} />
          <ViewButton row={row} list={list} />
        </div>
        <div className="col-span-2 col-start-2 mt-1 text-sm text-muted">
          <p className="line-clamp-2 [overflow-wrap:anywhere]">{workLine(application) ?? application.email}</p>
          {list.eventNameOf && <p className="font-medium">{list.eventNameOf(application.eventId)}</p>}
          <p>
            {application.experience ? `${application.experience} · ` : ''}
            {formatShortDay(application.createdAt, list.now)}
          </p>
        </div>
      </div>
      {why && <p className="mt-2 line-clamp-2 text-base [overflow-wrap:anywhere]">{why}</p>}
      <div className="mt-2 empty:hidden">
        <ChangedLabel application={application} />
        <ComingLabel application={application} />
      </div>
      <PrivateNote note={application.note} />
      {/* On a day of the event the space of "Here" is reserved from the start, so that no card grows under the finger that approves. */}
      <div
        className={`mt-3 flex items-center gap-3 max-[22.5rem]:min-h-13.5 ${list.here.offered ? 'min-h-13.5' : 'min-h-7'}`}
      >
        <div className="min-w-0 flex-1">
          <ApplicationBadges row={row} />
        </div>
        <HereInList row={row} list={list} />
      </div>
      <div className="mt-3 empty:hidden">{!selecting && <DecisionButtons row={row} actions={actions} />}</div>
    </Card>
  )
})
