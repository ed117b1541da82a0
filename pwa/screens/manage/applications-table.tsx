import type { ApplicationRow } from '../../replica/rows.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatShortDay } from '../local-time.ts'
import { dash, fullName, initialsOf } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { DecisionActions } from './decision-buttons.tsx'

function Applicant({ row: { application } }: { row: ApplicationRow }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar initials={initialsOf(application)} size="small" />
      <span className="min-w-0">
        <span className="block font-medium">{fullName(application)}</span>
        <span className="block max-w-44 truncate text-sm text-muted">{application.email}</span>
      </span>
    </span>
  )
}

function Work({ row: { application } }: { row: ApplicationRow }) {
  return (
    <>
      <span className="block">{application.company ?? dash}</span>
      <span className="block text-sm text-muted">{application.jobTitle ?? dash}</span>
    </>
  )
}

/** Holds the place of the longest mark from the start: no column moves when a decision is saved, sent and confirmed. */
function Status({ row }: { row: ApplicationRow }) {
  return (
    <div className="flex min-h-13 w-42 items-center">
      <ApplicationMarks row={row} />
    </div>
  )
}

interface TableActions {
  actions: DecisionActions
  onView: (row: ApplicationRow) => void
}

function RowActions({ row, actions, onView }: TableActions & { row: ApplicationRow }) {
  return (
    <span className="flex items-center justify-between gap-2">
      <DecisionButtons row={row} actions={actions} compact />
      <Button
        variant="ghost"
        size="small"
        className="ml-auto"
        data-view={row.application.id}
        aria-label={`View ${fullName(row.application)}`}
        onClick={() => onView(row)}
      >
        View
      </Button>
    </span>
  )
}

function columnsWith({ actions, onView, now }: TableActions & { now: Date }): Column<ApplicationRow>[] {
  return [
    { key: 'applicant', header: 'Applicant', rowHeader: true, cell: (row) => <Applicant row={row} /> },
    { key: 'work', header: 'Company / Job Title', cell: (row) => <Work row={row} /> },
    { key: 'experience', header: 'Experience', cell: ({ application }) => application.experience || dash },
    { key: 'status', header: 'Status', cell: (row) => <Status row={row} /> },
    {
      key: 'applied',
      header: 'Applied',
      width: 'shrink',
      cell: ({ application }) => formatShortDay(application.createdAt, now),
    },
    {
      key: 'actions',
      header: 'Actions',
      width: 'shrink',
      cell: (row) => <RowActions row={row} actions={actions} onView={onView} />,
    },
  ]
}

/**
 * The applicants as a table. `roomy` is for wide screens: it has a column each for experience and date, which a tablet
 * leaves to the View dialog.
 */
export function ApplicationsTable({
  rows,
  currentId,
  roomy,
  ...rest
}: TableActions & { rows: readonly ApplicationRow[]; currentId: number | null; roomy: boolean; now: Date }) {
  const columns = columnsWith(rest)
  return (
    <DataTable
      caption="Applicants"
      columns={roomy ? columns : columns.filter(({ key }) => key !== 'experience' && key !== 'applied')}
      rows={rows}
      rowKey={({ application }) => application.id}
      currentKey={currentId}
    />
  )
}
