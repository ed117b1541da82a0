import { Printer } from 'lucide-react'
import { useParams } from 'react-router-dom'
import { formatEventDate } from '#shared/time/date-range.ts'
import { idFrom, paths } from '../paths.ts'
import type { ApplicationRow, EventRow } from '../replica/view/rows.ts'
import { useApplications } from '../replica/view/use-applications.ts'
import { useOrganizerEvent } from '../replica/view/use-events.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatMoment } from '../page/local-time.ts'
import { dash, fullName, inOrder, isHere, workLine } from './manage/applicant.ts'
import { MissingEvent } from '../page/missing-event.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { useMinute } from '../page/use-minute.ts'

/** The approved Beacons on paper, by name, with a box to tick at the door. */
export function BeaconListScreen() {
  const id = idFrom(useParams()['id'])
  const { status, row } = useOrganizerEvent(id ?? 0)
  const { applications } = useApplications(id ?? 0)
  usePageTitle(row ? `Beacons: ${row.event.name}` : 'Beacons')
  if (id === null || status === 'missing') {
    return (
      <MissingEvent id={id} title="Event Not Found">
        It does not exist, was deleted, or belongs to someone else.
      </MissingEvent>
    )
  }
  const approved = inOrder(
    applications.filter(({ application }) => application.status === 'approved'),
    'name',
  )
  return (
    <Page
      back={{ to: paths.manageEvent(id), label: 'Manage Event' }}
      title={row && `Beacons of ${row.event.name}`}
      lead={row && `${formatEventDate(row.event)} · ${row.event.location}`}
      titleAside={
        approved.length > 0 && (
          <Button icon={<Printer aria-hidden="true" className="size-4" />} onClick={() => window.print()}>
            Print
          </Button>
        )
      }
    >
      {!row ? (
        <Skeleton shape="detail" label="Loading the event" />
      ) : approved.length === 0 ? (
        <EmptyState
          illustration="beacons"
          title="No Beacons Yet"
          action={<ButtonLink to={paths.manageEvent(id)}>Manage Event</ButtonLink>}
        >
          Whoever you approve stands on this list.
        </EmptyState>
      ) : (
        <PaperList row={row} approved={approved} />
      )}
    </Page>
  )
}

function columnsAt({ event }: EventRow, now: Date): Column<ApplicationRow>[] {
  return [
    {
      key: 'here',
      header: 'Here',
      width: 'shrink',
      cell: ({ application }) => <Tick ticked={isHere(application, event.timeZone, now)} />,
    },
    {
      key: 'name',
      header: 'Name',
      rowHeader: true,
      cell: ({ application }) => (
        <>
          <span className="block font-medium [overflow-wrap:anywhere]">{fullName(application)}</span>
          <span className="text-sm text-muted [overflow-wrap:anywhere]">{workLine(application) ?? dash}</span>
          <div className="mt-2 flex flex-col gap-1 sm:hidden">
            <Contact application={application} />
            {application.note && <p className="text-sm [overflow-wrap:anywhere]">{application.note}</p>}
          </div>
        </>
      ),
    },
    {
      key: 'contact',
      header: 'Contact',
      wideOnly: true,
      cell: ({ application }) => <Contact application={application} />,
    },
    {
      key: 'note',
      header: 'Note',
      wideOnly: true,
      cell: ({ application }) => (
        <span className="block min-w-32 text-sm [overflow-wrap:anywhere]">{application.note ?? ''}</span>
      ),
    },
  ]
}

function Contact({ application }: Pick<ApplicationRow, 'application'>) {
  return (
    <span className="block text-sm [overflow-wrap:anywhere]">
      {application.phone && <span className="block whitespace-nowrap">{application.phone}</span>}
      {application.email}
    </span>
  )
}

function PaperList({ row, approved }: { row: EventRow; approved: readonly ApplicationRow[] }) {
  const now = useMinute()
  const count = `${approved.length} approved ${approved.length === 1 ? 'Beacon' : 'Beacons'}`
  return (
    <>
      <DataTable
        caption={`${count}, as of ${formatMoment(now.toISOString(), now)}`}
        showCaption
        columns={columnsAt(row, now)}
        rows={approved}
        rowKey={({ application }) => application.id}
      />
      <p className="no-print mt-4 text-sm text-muted">Your private notes are on it: keep the paper to yourself.</p>
    </>
  )
}

function Tick({ ticked }: { ticked: boolean }) {
  return (
    <span className="grid size-5 place-items-center rounded-sm border-2 border-base-content text-sm leading-none">
      <span className="sr-only">{ticked ? 'Yes' : 'No'}</span>
      <span aria-hidden="true">{ticked ? '✓' : ''}</span>
    </span>
  )
}
