import { memo, useMemo, type ReactNode } from 'react'
import { formatShortDay } from '../../../ui/page/local-time.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { initialsOf } from '../../../ui/initials.ts'
import { FailureBoundary, undrawnRow } from '../../../ui/failure-boundary.tsx'
import { dash, fullName } from '../shown-applicant.ts'
import {
  ChangedLabel,
  ComingLabel,
  HowAppliedLabel,
  HereInList,
  PostInList,
  NoteMark,
  SelectBox,
  ViewButton,
  type ApplicantList,
} from '../application-row.tsx'
import { ApplicationBadges, DecisionButtons } from '../decision-buttons.tsx'
import { StarButton } from '../marks.tsx'
import { useVirtualRows } from './virtual-rows.ts'

interface Column {
  readonly key: string
  readonly header: string
  /** A narrow container leaves some columns to the details. */
  readonly className: string
  readonly cell: (row: ApplicationRow, current: boolean) => ReactNode
}

const twoLines = 'line-clamp-2 text-sm leading-tight whitespace-normal [overflow-wrap:anywhere]'

/** What decides gets the rest of the width. */
const whyColumn: Column = {
  key: 'why',
  header: 'Why',
  className: '@max-[60rem]:hidden',
  cell: ({ application }) => {
    const why = application.whyBeacon || application.bio
    return (
      <span className={twoLines} title={why}>
        {why || dash}
      </span>
    )
  },
}

/** The buttons of arrivals need its width. */
const experienceColumn = ({ arrivals: { offered } }: ApplicantList): Column => ({
  key: 'experience',
  header: 'Experience',
  className: offered ? 'w-30 @max-[86rem]:hidden' : 'w-30 @max-[72rem]:hidden',
  cell: ({ application }) => <span className={twoLines}>{application.experience || dash}</span>,
})

const eventColumn = (eventNameOf: (eventId: number) => string): Column => ({
  key: 'event',
  header: 'Event',
  className: 'w-40 @max-[52rem]:hidden',
  cell: ({ application }) => <span className={twoLines}>{eventNameOf(application.eventId)}</span>,
})

/** The column is as wide as its buttons. */
function actionsWidth({ arrivals: { offered }, onPlace }: ApplicantList): string {
  if (offered)
    return onPlace ? 'w-105 pointer-coarse:w-117 @max-[60rem]:w-86' : 'w-94 pointer-coarse:w-106 @max-[60rem]:w-75'
  return onPlace ? 'w-83 pointer-coarse:w-95 @max-[60rem]:w-68' : 'w-72 pointer-coarse:w-84 @max-[60rem]:w-57'
}

function columnsOf(list: ApplicantList): Column[] {
  return [
    {
      key: 'applicant',
      header: 'Applicant',
      className: 'w-56 @max-[60rem]:w-auto',
      cell: ({ application }) => (
        <span className="flex items-center gap-2">
          <Avatar initials={initialsOf([application.firstName, application.lastName])} size="small" />
          <span className="min-w-0 leading-tight" title={application.email}>
            <span className="block truncate font-medium">{fullName(application)}</span>
            <span className="block truncate text-sm leading-tight text-muted">{application.email}</span>
          </span>
          <ChangedLabel application={application} iconOnly />
          <ComingLabel application={application} isOver={list.isOver(application)} iconOnly />
          <HowAppliedLabel application={application} iconOnly />
          <NoteMark note={application.note} />
        </span>
      ),
    },
    ...(list.eventNameOf ? [eventColumn(list.eventNameOf)] : []),
    {
      key: 'work',
      header: 'Company / Job Title',
      className: 'w-40 @max-[42rem]:hidden pointer-coarse:@max-[52rem]:hidden',
      cell: ({ application }) => (
        <span className="block text-sm leading-tight">
          <span className="block truncate">{application.company ?? dash}</span>
          <span className="block truncate text-muted">{application.jobTitle ?? dash}</span>
        </span>
      ),
    },
    whyColumn,
    ...(list.eventNameOf ? [] : [experienceColumn(list)]),
    {
      key: 'status',
      header: 'Status',
      // As wide as the longest label: no column moves.
      className: 'w-38',
      cell: (row) => <ApplicationBadges row={row} compact />,
    },
    {
      key: 'applied',
      header: 'Applied',
      className: 'w-20 text-sm @max-[72rem]:hidden',
      cell: ({ application }) => formatShortDay(application.createdAt, list.now),
    },
    {
      key: 'actions',
      header: 'Actions',
      className: actionsWidth(list),
      cell: (row, current) => (
        <span className="flex items-center">
          {!list.selecting && (
            <DecisionButtons
              row={row}
              actions={list.actions}
              isOver={list.isOver(row.application)}
              lit={current}
              compact
            />
          )}
          <span className="ml-auto flex items-center">
            <PostInList row={row} list={list} iconOnly />
            <HereInList row={row} list={list} />
            <StarButton row={row} actions={list.actions} />
            <ViewButton row={row} list={list} />
          </span>
        </span>
      ),
    },
  ]
}

const cell = 'truncate px-3 text-left font-normal first:pl-4 last:pr-5'

const Row = memo(function Row(props: {
  row: ApplicationRow
  list: ApplicantList
  columns: readonly Column[]
  index: number
  current: boolean
  chosen: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
}) {
  const { row, list, columns, index, current, chosen, measure } = props
  const { application } = row
  return (
    <tr
      ref={measure}
      data-row={application.id}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={current || undefined}
      className={`h-11.5 scroll-mt-18 border-t border-base-300 ${
        current ? 'bg-quiet-soft shadow-[inset_4px_0_0_var(--color-primary)]' : 'hover:bg-quiet-soft/60'
      }`}
    >
      {list.selecting && (
        <td className={cell}>
          <SelectBox application={application} list={list} chosen={chosen} className="-my-2" />
        </td>
      )}
      {columns.map((column, place) => {
        const Cell = place === 0 ? 'th' : 'td'
        return (
          <Cell key={column.key} scope={place === 0 ? 'row' : undefined} className={`${cell} ${column.className}`}>
            {column.cell(row, current)}
          </Cell>
        )
      })}
    </tr>
  )
})

const Space = ({ height }: { height: number }) => height > 0 && <tr aria-hidden="true" style={{ height }} />

export interface ApplicantListProps {
  readonly ids: readonly number[]
  readonly byId: ReadonlyMap<number, ApplicationRow>
  readonly list: ApplicantList
  readonly currentId: number | null
  readonly chosen: ReadonlySet<number>
}

export function ApplicationsTable({ ids, byId, list, currentId, chosen }: ApplicantListProps) {
  const columns = useMemo(() => columnsOf(list), [list])
  const { rows, after, list: body, measure } = useVirtualRows({ ids, currentId, estimate: 46, gap: 0, overscan: 10 })
  return (
    <div className="overflow-clip rounded-box border border-base-300 bg-base-100">
      <table aria-rowcount={ids.length + 1} className="w-full table-fixed border-collapse">
        <caption className="sr-only">Applicants</caption>
        <thead>
          <tr aria-rowindex={1} className="h-9 text-sm text-muted">
            {list.selecting && (
              <th scope="col" className={`${cell} w-16`}>
                <span className="sr-only">Select</span>
              </th>
            )}
            {columns.map(({ key, header, className }) => (
              <th key={key} scope="col" className={`${cell} ${className} font-medium`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} className="[overflow-anchor:none]">
          {rows.flatMap(({ id, index, before }) => {
            const row = byId.get(id)
            if (!row) return []
            return [
              <Space key={`before ${id}`} height={before} />,
              <FailureBoundary key={id} of={row} renderInstead={() => <UndrawnRow columns={columns.length} />}>
                <Row
                  row={row}
                  list={list}
                  columns={columns}
                  index={index}
                  current={id === currentId}
                  chosen={chosen.has(id)}
                  measure={measure}
                />
              </FailureBoundary>,
            ]
          })}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  )
}

const UndrawnRow = ({ columns }: { columns: number }) => (
  <tr className="h-11.5">
    <td colSpan={columns} className={`${cell} text-muted`}>
      {undrawnRow}
    </td>
  </tr>
)
