import { useParams } from 'react-router-dom'
import { isExpected } from '#shared/applications/coming.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { WithArchived } from '../applications/manage/archived-applicants.tsx'
import { arrivalsOf, arrivalWords } from '../applications/manage/arrivals.ts'
import { beaconsLine, comingWords, dash, fullName, inOrder, workLine } from '../applications/manage/shown-applicant.ts'
import { useNow } from '../ui/page/use-now.ts'
import { idFrom, paths } from '../paths.ts'
import { type ApplicationRow, type EventRow, foldedView } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { ButtonLink } from '../ui/button.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FirstCopy } from './first-copy.tsx'
import { OrganizerEventPage, usePrintedMoment } from './organizer-event-page.tsx'

export function BeaconListScreen() {
  const id = idFrom(useParams()['id'])
  const { status, applicationsOf } = useObservable(foldedView)
  const applications = applicationsOf(id ?? 0)
  const now = useNow()
  const approved = inOrder(
    applications.filter(({ application }) => application.status === 'approved'),
    'name',
  )
  return (
    <OrganizerEventPage
      id={id}
      tabTitle="Beacons"
      named
      page={(row) => ({
        title: row && `Beacons of ${row.event.name}`,
        lead: row && `${formatEventDate(row.event)} · ${row.event.location}`,
        printable: status === 'ready' && approved.length > 0,
      })}
    >
      {(row) =>
        status === 'loading' ? (
          <FirstCopy label="Loading Beacons" />
        ) : (
          <WithArchived event={row.event} now={now} hasNone={applications.length === 0}>
            {approved.length === 0 ? (
              <EmptyState
                illustration="beacons"
                title="No Beacons Yet"
                action={<ButtonLink to={paths.manageEvent(row.event.id)}>Manage Event</ButtonLink>}
              >
                The Beacons you approve appear on this list.
              </EmptyState>
            ) : (
              <PaperList row={row} approved={approved} />
            )}
          </WithArchived>
        )
      }
    </OrganizerEventPage>
  )
}

function columnsAt({ event }: EventRow, now: Date): Column<ApplicationRow>[] {
  const arrivals = arrivalsOf(event, now)
  return [
    {
      key: 'here',
      header: arrivalWords(arrivals).short,
      width: 'shrink',
      cell: ({ application }) => <Tick ticked={arrivals.of(application)} />,
    },
    {
      key: 'name',
      header: 'Name',
      rowHeader: true,
      cell: ({ application }) => (
        <>
          <span className="block font-medium [overflow-wrap:anywhere]">{fullName(application)}</span>
          {!isExpected(application) && (
            <span className="block text-sm font-medium text-error">{comingWords(arrivals.isOver).no}</span>
          )}
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
  const now = useNow()
  const asOf = usePrintedMoment(now)
  const count = beaconsLine(approved, arrivalsOf(row.event, now).isOver)
  return (
    <>
      <DataTable
        caption={`${count}, as of ${asOf}`}
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
