import { memo } from 'react'
import { formatShortDay } from '../../../ui/page/local-time.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { initialsOf } from '../../../ui/initials.ts'
import { Card } from '../../../ui/card.tsx'
import { fullName, shownStatus, workLine } from '../shown-applicant.ts'
import {
  ChangedLabel,
  ComingLabel,
  HowAppliedLabel,
  HereInList,
  PostInList,
  PrivateNote,
  SelectBox,
  ViewButton,
  type ApplicantList,
} from '../application-row.tsx'
import { ApplicationBadges, DecisionButtons } from '../decision-buttons.tsx'
import { StarButton } from '../marks.tsx'
import { FailureBoundary, undrawnRow } from '../../../ui/failure-boundary.tsx'
import type { ApplicantListProps } from './applications-table.tsx'
import { useVirtualRows } from './virtual-rows.ts'

const gap = 12

export function ApplicationsCards({ ids, byId, list, currentId, chosen }: ApplicantListProps) {
  const { rows, after, list: ul, measure } = useVirtualRows({ ids, currentId, estimate: 216, gap, overscan: 6 })
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
  const name = fullName(application)
  const why = application.whyBeacon || application.bio
  const about = list.eventNameOf ? list.eventNameOf(application.eventId) : application.experience
  const isTold = shownStatus(application) === list.toldStatus
  return (
    <Card
      as="article"
      padding="none"
      data-row={application.id}
      aria-current={current || undefined}
      className={`scroll-mt-16 ${current || chosen ? 'outline-2 outline-primary' : ''}`}
    >
      <div className="flex flex-col gap-1.5 p-3">
        <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 max-[20rem]:grid-cols-[auto_minmax(0,1fr)]">
          {selecting ? (
            <SelectBox application={application} list={list} chosen={chosen} className="mr-1" />
          ) : (
            <Avatar initials={initialsOf([application.firstName, application.lastName])} />
          )}
          {/* Two lines: a long name takes the second one from the work. */}
          <div className="max-h-[3.25rem] min-h-12 min-w-0 self-center overflow-clip">
            <h3 className="line-clamp-2 text-lg leading-snug [overflow-wrap:anywhere]">{name}</h3>
            <p className="truncate text-sm text-muted">{workLine(application) ?? application.email}</p>
          </div>
          <div className="relative z-10 -mt-1 flex items-start max-[20rem]:col-span-full">
            <StarButton row={row} actions={actions} />
            <ViewButton row={row} list={list} />
          </div>
        </div>
        {/* What shows after a tap has its place before it: no card grows under the finger. */}
        <div className="flex min-h-7 min-w-0 items-center gap-x-3">
          <ApplicationBadges row={row} withoutStatus={isTold} />
          {row.syncState === 'confirmed' && (
            <p className="min-w-0 flex-1 truncate text-sm text-muted">
              {[formatShortDay(application.createdAt, list.now), about].filter(Boolean).join(' · ')}
            </p>
          )}
        </div>
        <div className={`flex min-w-0 items-center gap-3 ${list.arrivals.offered ? 'min-h-11' : 'empty:hidden'}`}>
          <CardLines row={row} list={list} why={why} />
          <PostInList row={row} list={list} />
          <HereInList row={row} list={list} />
        </div>
        <div className="mt-1 empty:hidden">
          {!selecting && <DecisionButtons row={row} actions={actions} isOver={list.isOver(application)} />}
        </div>
      </div>
    </Card>
  )
})

/** Two lines: labels and the organizer's note come before the reasons, which "View" shows whole. */
function CardLines({ row, list, why }: { row: ApplicationRow; list: ApplicantList; why: string }) {
  const { application } = row
  const hasLabels = Boolean(
    application.publicChanges ||
    application.sentLate ||
    application.walkedIn ||
    (application.status === 'approved' && application.coming !== undefined),
  )
  const free = 2 - Number(hasLabels) - Number(application.note !== null)
  const record = free > 0 ? list.trackRecordOf(application) : null
  const left = free - Number(record !== null)
  if (left === 2 && !why) return null
  return (
    <div className="min-w-0 flex-1 text-sm">
      {hasLabels && (
        <div className="flex h-[1.45em] gap-x-3 overflow-clip">
          <ChangedLabel application={application} />
          <ComingLabel application={application} isOver={list.isOver(application)} />
          <HowAppliedLabel application={application} />
        </div>
      )}
      {record && <p className="truncate font-medium">{record}</p>}
      <PrivateNote note={application.note} />
      {why && left > 0 && (
        <p className={`[overflow-wrap:anywhere] ${left === 2 ? 'line-clamp-2' : 'line-clamp-1'}`}>{why}</p>
      )}
    </div>
  )
}
