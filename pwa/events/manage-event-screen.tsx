import { useDeferredValue, useMemo, useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { formatDateRange, formatTimes } from '#shared/time/date-range.ts'
import { useObservable, reachability, type EventRow, useApplications, useOrganizerEvent } from '../sync/index.ts'
import { idFrom, paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Page, Section } from '../ui/page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { StatusBadge, SyncLabel } from '../ui/status-badge.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { Applications } from '../applications/manage/applications.tsx'
import { decisionSyncState } from '../applications/manage/shown-applicant.ts'
import { DecisionUndo, heldDecisions, type Batch } from '../applications/manage/decision-buttons.tsx'
import { FirstCopy } from './first-copy.tsx'
import { EventActions } from './manage/event-actions.tsx'
import { EventNotFound } from './organizer-event-page.tsx'
import { CustomizationStatus, EventDetails, IntakeCard } from './manage/event-panels.tsx'
import { FiguresPanel } from '../applications/manage/figures-panel.tsx'
import { MailLogPanel } from '../mail/mail-log-panel.tsx'
import { useDecisions } from '../applications/manage/use-decisions.ts'
import { useMarks } from '../applications/manage/marks.tsx'
import { useMinute } from '../ui/page/use-now.ts'
import { usePageTitle } from '../ui/page/page-title.ts'

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
  const { user } = useSession()
  const [search] = useSearchParams()
  const { status, applications } = useApplications(event.id)
  const unreachable = useObservable(reachability) === 'unreachable'
  const held = useMemo(() => heldDecisions(applications), [applications])
  const userId = user?.id ?? null
  const decisions = useDecisions(userId)
  const marks = useMarks(userId)
  const actions = useMemo(() => ({ ...decisions, ...marks }), [decisions, marks])
  const [batch, setBatch] = useState<Batch | null>(null)
  // Menu and figures are deferred, so that a decision shows in its row first.
  const settled = useDeferredValue(applications)
  const figureCounts = useDeferredValue(counts)
  const now = useMinute()
  const times = formatTimes(event)

  return (
    <Page
      title={event.name}
      back={dashboard}
      lead={
        <>
          {formatDateRange(event.startDate, event.endDate)}
          {times && ` · ${times}`}
          {counts.pending > 0 && (
            <span className="block font-medium text-signal tabular-nums">{counts.pending} waiting for you</span>
          )}
          {syncState !== 'confirmed' && (
            <span className="block">
              <SyncLabel state={syncState} />
            </span>
          )}
        </>
      }
      titleAside={<EventActions event={event} applications={settled} userId={userId} />}
    >
      <Section
        id="applications"
        title="Beacon Applications"
        aside={
          // On a phone the chips below say the same.
          applications.length > 0 && (
            <p className="flex flex-wrap gap-2 max-sm:hidden">
              <StatusBadge status="pending" count={counts.pending} />
              <StatusBadge
                status="approved"
                count={counts.approved}
                unconfirmed={applications.some(
                  (one) => one.application.status === 'approved' && decisionSyncState(one) !== 'confirmed',
                )}
              />
              <StatusBadge status="rejected" count={counts.rejected} />
            </p>
          )
        }
      >
        {status === 'loading' ? (
          <FirstCopy label="Loading applications" />
        ) : (
          <Applications
            event={event}
            rows={applications}
            counts={counts}
            actions={actions}
            openId={idFrom(search.get('application') ?? undefined)}
            lastHeld={held[0] ?? null}
            batch={batch}
            onBatch={setBatch}
            now={now}
            asOf={unreachable && asOf ? `as of ${formatMoment(asOf, now)}` : null}
          />
        )}
      </Section>
      <div className="mt-10 grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <div className="flex flex-col gap-4">
          <EventDetails event={event} />
          <FiguresPanel applications={settled} counts={figureCounts} timeZone={event.timeZone} />
        </div>
        <div className="flex flex-col gap-4">
          <IntakeCard event={event} approved={counts.approved} now={now} userId={userId} />
          <CustomizationStatus event={event} />
        </div>
      </div>
      <div className="mt-4">
        <MailLogPanel eventId={event.id} />
      </div>
      {/* The end of the page must be reachable above the undo bar. */}
      {held.length > 0 && <div className="h-20" />}
      <DecisionUndo held={held} batch={batch} actions={actions} />
    </Page>
  )
}
