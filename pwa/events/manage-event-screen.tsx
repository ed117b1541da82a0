import { ArrowLeft } from 'lucide-react'
import { useDeferredValue, useMemo, useRef } from 'react'
import { useParams } from 'react-router-dom'
import { formatDateRange, formatTimes } from '#shared/time/date-range.ts'
import {
  useObservable,
  reachability,
  type ApplicationRow,
  type EventRow,
  foldedView,
  useOrganizerEvent,
} from '../sync/index.ts'
import { idFrom, paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { SyncLabel } from '../ui/status-badge.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { useHasAll, WithArchived } from '../applications/manage/archived-applicants.tsx'
import { Applications } from '../applications/manage/applications.tsx'
import { comingLine } from '../applications/manage/shown-applicant.ts'
import { heldDecisions } from '../applications/manage/decision-buttons.tsx'
import { FirstCopy } from './first-copy.tsx'
import { EventActions } from './manage/event-actions.tsx'
import { EventNotFound } from './organizer-event-page.tsx'
import { CustomizationStatus, EventDetails, IntakeCard } from './manage/event-panels.tsx'
import { OverviewStrip } from './manage/overview-strip.tsx'
import { FiguresPanel } from '../applications/manage/figures-panel.tsx'
import { MailLogPanel } from '../mail/mail-log-panel.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { usePageTitle } from '../ui/page/page-title.ts'

const none: readonly ApplicationRow[] = []

const dashboard = { to: paths.dashboard, label: 'Dashboard' }

export function ManageEventScreen() {
  const id = idFrom(useParams()['id'])
  const { status, row, asOf } = useOrganizerEvent(id ?? 0)
  if (id === null || status === 'missing') return <EventNotFound id={id} />
  if (row) return <ManageEvent key={id} row={row} asOf={asOf} />
  return (
    <Page back={dashboard}>
      <Skeleton shape="detail" label="Loading the event" />
    </Page>
  )
}

function ManageEvent({ row, asOf }: { row: EventRow; asOf: string | null }) {
  const { event, counts, syncState } = row
  usePageTitle(event.name)
  const { status, applicationsOf } = useObservable(foldedView)
  const applications = applicationsOf(event.id)
  const unreachable = useObservable(reachability) === 'unreachable'
  const held = useMemo(() => heldDecisions(applications), [applications])
  // Deferred, so that a decision shows in its row first.
  const settled = useDeferredValue(applications)
  const figureCounts = useDeferredValue(counts)
  const coming = useMemo(() => comingLine(settled), [settled])
  const details = useRef<HTMLDivElement>(null)
  const isListDrawn = useDeferredValue(true, false)
  const now = useNow()
  const times = formatTimes(event)
  const hasAll = useHasAll(event, now)

  return (
    <div className="px-4 pt-2 pb-10 sm:px-6">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="-ml-2 flex min-w-0 flex-[1_1_20rem] items-center gap-1">
          <ButtonLink to={paths.dashboard} variant="ghost" aria-label="Dashboard" className="no-print btn-square">
            <ArrowLeft className="size-5" />
          </ButtonLink>
          <div className="min-w-0">
            <h1 className="text-xl sm:text-2xl">{event.name}</h1>
            <div className="flex flex-wrap gap-x-4 text-sm text-muted">
              <span>
                {formatDateRange(event.startDate, event.endDate)}
                {times && ` · ${times}`}
              </span>
              {coming && hasAll && <span>Approved Beacons: {coming}</span>}
              {syncState !== 'confirmed' && <SyncLabel state={syncState} />}
              <button
                type="button"
                className="touch-target no-print cursor-pointer underline underline-offset-4 hover:text-base-content"
                onClick={() => details.current?.scrollIntoView()}
              >
                About this event
              </button>
            </div>
          </div>
        </div>
        {hasAll && <OverviewStrip eventId={event.id} rows={settled} approved={figureCounts.approved} />}
        <div className="no-print flex flex-wrap items-center gap-2">
          <EventActions event={event} applications={hasAll ? settled : none} />
        </div>
      </header>
      {event.takenDown && (
        <Alert className="mt-3" variant="destructive" title="This event was taken down">
          Guests do not see it, and it takes no applications. The reason: {event.takenDown.reason}
        </Alert>
      )}
      <section aria-labelledby="applications" className="mt-3">
        <h2 id="applications" className="sr-only">
          Beacon Applications
        </h2>
        {status === 'loading' ? (
          <FirstCopy label="Loading applications" />
        ) : (
          <WithArchived event={event} now={now} hasNone={applications.length === 0}>
            <Applications
              event={event}
              rows={applications}
              counts={hasAll ? counts : null}
              held={held}
              asOf={unreachable && asOf ? `as of ${formatMoment(asOf, now)}` : null}
            />
          </WithArchived>
        )}
      </section>
      {isListDrawn ? (
        <>
          <div
            ref={details}
            className="mx-auto mt-10 grid max-w-6xl gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start"
          >
            <div className="flex flex-col gap-4">
              <EventDetails event={event} />
              {hasAll && <FiguresPanel applications={settled} counts={figureCounts} timeZone={event.timeZone} />}
            </div>
            <div className="flex flex-col gap-4">
              <IntakeCard event={event} approved={counts.approved} now={now} />
              <CustomizationStatus event={event} />
            </div>
          </div>
          <div className="mx-auto mt-4 max-w-6xl">
            <MailLogPanel eventId={event.id} />
          </div>
        </>
      ) : (
        <div className="h-dvh" />
      )}
      {/* The end of the page must be reachable above the undo bar. */}
      {held.length > 0 && <div className="h-20" />}
    </div>
  )
}
