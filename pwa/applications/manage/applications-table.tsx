import { useMemo } from 'react'
import { formatShortDay } from '../../ui/page/local-time.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { dash, fullName, initialsOf } from './shown-applicant.ts'
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

/** Breaks an address before its @. */
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

function columnsOf(list: ApplicantList): Column<ApplicationRow>[] {
  return [
    {
      key: 'applicant',
      header: 'Applicant',
      rowHeader: true,
      cell: ({ application }) => (
        <span className="flex items-center gap-3">
          <Avatar initials={initialsOf(application)} size="small" />
          <span className="min-w-0">
            <span className="block max-w-60 font-medium break-words">{fullName(application)}</span>
            <span className="block max-w-60 text-sm break-words text-muted">{breakable(application.email)}</span>
            <ChangedLabel application={application} />
            <ComingLabel application={application} />
            <PrivateNote note={application.note} as="span" className="mt-0.5 max-w-60 gap-1.5" />
          </span>
        </span>
      ),
    },
    {
      key: 'work',
      header: 'Company / Job Title',
      cell: ({ application }) => (
        <>
          <span className="block">{application.company ?? dash}</span>
          <span className="block text-sm text-muted">{application.jobTitle ?? dash}</span>
        </>
      ),
    },
    { key: 'experience', header: 'Experience', cell: ({ application }) => application.experience || dash },
    {
      key: 'status',
      header: 'Status',
      // As wide as the longest label: no column moves while a decision is saved, sent and confirmed.
      cell: (row) => (
        <div className="flex min-h-13 w-42 items-center">
          <ApplicationBadges row={row} />
        </div>
      ),
    },
    {
      key: 'applied',
      header: 'Applied',
      width: 'shrink',
      cell: ({ application }) => formatShortDay(application.createdAt, list.now),
    },
    {
      key: 'actions',
      header: 'Actions',
      width: 'shrink',
      cell: (row) => (
        <span className="flex items-center justify-between gap-2">
          {!list.selecting && <DecisionButtons row={row} actions={list.actions} compact />}
          <span className="ml-auto flex items-center gap-1">
            <HereInList row={row} list={list} />
            <StarButton row={row} actions={list.actions} />
            <ViewButton row={row} list={list} />
          </span>
        </span>
      ),
    },
  ]
}

function selectColumn(list: ApplicantList, chosen: ReadonlySet<number>): Column<ApplicationRow> {
  return {
    key: 'select',
    header: 'Select',
    width: 'shrink',
    cell: ({ application }) => (
      <SelectBox application={application} list={list} chosen={chosen.has(application.id)} className="-my-2" />
    ),
  }
}

const idOf = ({ application }: ApplicationRow) => application.id

/** `roomy` adds the columns that narrower screens leave to the View dialog. */
export function ApplicationsTable(props: {
  rows: readonly ApplicationRow[]
  list: ApplicantList
  currentId: number | null
  roomy: boolean
  chosen: ReadonlySet<number>
}) {
  const { rows, list, currentId, roomy, chosen } = props
  const columns = useMemo(() => {
    const all = columnsOf(list)
    return roomy ? all : all.filter(({ key }) => key !== 'experience' && key !== 'applied')
  }, [list, roomy])
  const withChoice = useMemo(
    () => (list.selecting ? [selectColumn(list, chosen), ...columns] : columns),
    [list, chosen, columns],
  )
  return <DataTable caption="Applicants" columns={withChoice} rows={rows} rowKey={idOf} currentKey={currentId} />
}
