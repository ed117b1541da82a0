import { NotebookPen } from 'lucide-react'
import { useMemo } from 'react'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatShortDay } from '../../page/local-time.ts'
import { dash, fullName, initialsOf } from './applicant.ts'
import { ApplicationMarks, DecisionButtons } from './decision-buttons.tsx'
import type { ListProps } from './list-props.ts'
import { HereButton, StarButton } from './marks.tsx'
import { ChangedMark } from './public-changes.tsx'
import { ViewButton } from './view-button.tsx'

function Applicant({ row }: { row: ApplicationRow }) {
  const { application } = row
  return (
    <span className="flex items-center gap-3">
      <Avatar initials={initialsOf(application)} size="small" />
      <span className="min-w-0">
        <span className="block max-w-60 font-medium break-words">{fullName(application)}</span>
        <span className="block max-w-60 text-sm break-words text-muted">{breakable(application.email)}</span>
        <ChangedMark row={row} />
        {application.note && (
          <span className="mt-0.5 flex max-w-60 gap-1.5 text-sm text-muted">
            <NotebookPen aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="line-clamp-2">
              <span className="sr-only">Private note: </span>
              {application.note}
            </span>
          </span>
        )}
      </span>
    </span>
  )
}

/** An address breaks before its @, where it does so at all. */
function breakable(email: string) {
  const [name, domain] = email.split('@')
  return domain === undefined ? (
    email
  ) : (
    <>
      {name}
      <wbr />@{domain}
    </>
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

function RowActions({
  row,
  actions,
  here,
  selecting,
  onView,
}: Pick<ListProps, 'actions' | 'here' | 'selecting' | 'onView'> & { row: ApplicationRow }) {
  const { application } = row
  return (
    <span className="flex items-center justify-between gap-2">
      {!selecting && <DecisionButtons row={row} actions={actions} compact />}
      <span className="ml-auto flex items-center gap-1">
        {here.offered && application.status === 'approved' && !selecting && (
          <HereButton row={row} here={here.of(application)} actions={actions} compact />
        )}
        <StarButton row={row} actions={actions} />
        <ViewButton row={row} onView={onView} />
      </span>
    </span>
  )
}

function columnsWith({ now, selecting, ...actions }: Omit<ListProps, 'onToggle'>): Column<ApplicationRow>[] {
  const columns: Column<ApplicationRow>[] = [
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
      cell: (row) => <RowActions row={row} selecting={selecting} {...actions} />,
    },
  ]
  return columns
}

function selectColumn(chosen: ReadonlySet<number>, onToggle: (id: number) => void): Column<ApplicationRow> {
  return {
    key: 'select',
    header: 'Select',
    width: 'shrink',
    cell: ({ application }) => (
      <Checkbox
        label={`Select ${fullName(application)}`}
        checked={chosen.has(application.id)}
        onChange={() => onToggle(application.id)}
        className="-my-2"
      />
    ),
  }
}

const idOf = ({ application }: ApplicationRow) => application.id

/**
 * The applicants as a table. `roomy` is for wide screens: it has a column each for experience and date, which a tablet
 * leaves to the View dialog.
 */
export function ApplicationsTable({
  rows,
  currentId,
  roomy,
  chosen,
  now,
  actions,
  selecting,
  onToggle,
  here,
  onView,
}: ListProps & {
  rows: readonly ApplicationRow[]
  currentId: number | null
  roomy: boolean
  chosen: ReadonlySet<number>
}) {
  const columns = useMemo(() => {
    const all = columnsWith({ now, actions, selecting, here, onView })
    return roomy ? all : all.filter(({ key }) => key !== 'experience' && key !== 'applied')
  }, [now, actions, selecting, here, onView, roomy])
  const withChoice = useMemo(
    () => (selecting ? [selectColumn(chosen, onToggle), ...columns] : columns),
    [selecting, chosen, onToggle, columns],
  )
  return <DataTable caption="Applicants" columns={withChoice} rows={rows} rowKey={idOf} currentKey={currentId} />
}
