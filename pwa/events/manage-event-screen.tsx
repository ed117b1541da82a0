import { ArrowLeft } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useParams } from 'react-router-dom'
import { isExpected } from '#shared/applications/coming.ts'
import { postsOf } from '#shared/events/posts.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { reachability, type ApplicationRow, type EventRow, foldedView, useOrganizerEvent } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { idFrom, paths } from '../paths.ts'
import { may } from '../device/session/acting.ts'
import { Alert } from '../ui/alert.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { SyncLabel } from '../ui/status-badge.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { ScanButton } from '../applications/hand-in/scan-button.tsx'
import { PostDialog } from '../applications/manage/post-dialog.tsx'
import { WalkInButton } from '../applications/manage/walk-in.tsx'
import { useHasAll, WithArchived } from '../applications/manage/archived-applicants.tsx'
import { Applications } from '../applications/manage/list/applications.tsx'
import { DoorList } from '../applications/door/door-list.tsx'
import { MessageDialog, type MessageStart } from '../applications/messages/message-dialog.tsx'
import { MessagesPanel } from '../applications/messages/messages-panel.tsx'
import { RemindSilent } from '../applications/messages/remind-silent.tsx'
import { comingLine } from '../applications/manage/shown-applicant.ts'
import { heldDecisions } from '../applications/manage/decision-buttons.tsx'
import { FirstCopy } from './first-copy.tsx'
import { EventActions } from './manage/event-actions.tsx'
import { CancellationNotice } from './manage/cancel-event.tsx'
import { EventNotFound } from './organizer-event-page.tsx'
import { CustomizationStatus, EventDetails, IntakeCard } from './manage/event-panels.tsx'
import { OtherOrganizer, useOtherOrganizer } from '../team/other-organizer.tsx'
import { OverviewStrip } from './manage/overview-strip.tsx'
import { VisibilityNotice } from './manage/visibility-notice.tsx'
import { ReadyLink } from './ready/ready-link.tsx'
import { FiguresPanel } from '../applications/manage/figures-panel.tsx'
import { MailLogPanel } from '../mail/mail-log-panel.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { usePageTitle } from '../ui/page/page-title.ts'

const none: readonly ApplicationRow[] = []

const dashboard = { to: paths.dashboard, label: 'Dashboard' }

export function ManageEventScreen() {
  const id = idFrom(useParams()['id'])
  const { status, row, asOf } = useOrganizerEvent(id ?? 0)
  const otherOrganizer = useOtherOrganizer()
  if (otherOrganizer !== undefined) return <OtherOrganizer member={otherOrganizer} />
  if (id === null || status === 'missing') return <EventNotFound id={id} />
  if (row && !may('reviewer')) return <DoorScreen row={row} />
  if (row) return <ManageEvent key={id} row={row} asOf={asOf} />
  return (
    <Page back={dashboard}>
      <Skeleton shape="detail" label="Loading the event" />
    </Page>
  )
}

function DoorScreen({ row: { event } }: { row: EventRow }) {
  usePageTitle(event.name)
  const { status, applicationsOf } = useObservable(foldedView)
  const times = formatTimes(event)
  return (
    <Page
      back={dashboard}
      title={event.name}
      lead={[formatEventDays(event), times, event.location].filter(Boolean).join(' · ')}
    >
      {status === 'loading' ? (
        <FirstCopy label="Loading Beacons" />
      ) : (
        <DoorList event={event} rows={applicationsOf(event.id)} />
      )}
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
  // The list is deferred, so that a decision shows in its row first.
  const settled = useDeferredValue(applications)
  const figureCounts = useDeferredValue(counts)
  const absent = settled.filter(
    ({ application }) => application.status === 'approved' && !isExpected(application),
  ).length
  const documents = useMemo(() => settled.map(({ application }) => application), [settled])
  const [writing, setWriting] = useState<MessageStart | null>(null)
  const onMessage = useCallback((selected: readonly number[]) => setWriting({ audience: 'selected', selected }), [])
  const [placing, setPlacing] = useState<readonly number[] | null>(null)
  const onPlace = postsOf(event).length > 0 ? setPlacing : undefined
  const details = useRef<HTMLDivElement>(null)
  const isListDrawn = useDeferredValue(true, false)
  const now = useNow()
  const isOver = hasEnded(event, now)
  const coming = useMemo(() => comingLine(settled, isOver), [settled, isOver])
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
                {formatEventDays(event)}
                {times && ` · ${times}`}
              </span>
              {coming && hasAll && <span>Approved Beacons: {coming}</span>}
              {hasAll && <RemindSilent event={event} applications={documents} now={now} />}
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
          <ScanButton event={event} now={now} />
          <WalkInButton event={event} now={now} />
          <EventActions event={event} applications={hasAll ? settled : none} />
        </div>
      </header>
      <p className="mt-2 hidden [overflow-wrap:anywhere] print:block">
        The list of all approved Beacons to print is at {`${location.origin}${paths.beaconList(event.id)}`}.
      </p>
      {event.takenDown && (
        <Alert className="mt-3" variant="destructive" title="This event was taken down">
          Guests do not see it, and it takes no applications. The reason: {event.takenDown.reason}
        </Alert>
      )}
      <CancellationNotice event={event} now={now} />
      {may('manager') && <VisibilityNotice event={event} />}
      <div className="mt-3 max-w-3xl empty:hidden">
        <ReadyLink row={row} />
      </div>
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
              onMessage={onMessage}
              onPlace={onPlace}
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
              <MessagesPanel
                eventId={event.id}
                eventName={event.name}
                applications={documents}
                onWrite={() => setWriting({ audience: 'approved' })}
              />
              {hasAll && <FiguresPanel applications={settled} counts={figureCounts} event={event} />}
            </div>
            <div className="flex flex-col gap-4">
              {may('manager') && <IntakeCard event={event} expected={counts.approved - absent} now={now} />}
              {may('manager') && <CustomizationStatus event={event} />}
            </div>
          </div>
          <div className="mx-auto mt-4 max-w-6xl">
            <MailLogPanel eventId={event.id} />
          </div>
        </>
      ) : (
        <div className="h-dvh" />
      )}
      {writing && (
        <MessageDialog event={event} applications={documents} start={writing} onClose={() => setWriting(null)} />
      )}
      {placing && (
        <PostDialog
          event={event}
          rows={applications.filter(({ application }) => placing.includes(application.id))}
          onClose={() => setPlacing(null)}
        />
      )}
      {/* The end of the page must be reachable above the undo bar. */}
      {held.length > 0 && <div className="h-20" />}
    </div>
  )
}
