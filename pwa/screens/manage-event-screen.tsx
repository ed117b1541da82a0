import { Pencil, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { formatDateRange, formatTimes } from '#shared/domain/date-range.ts'
import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import { saveFailureText } from '../device/save-failure.ts'
import { deleteEvent } from '../outbox/mutations/delete-event.ts'
import { outbox } from '../outbox/outbox.ts'
import { idFrom, paths } from '../paths.ts'
import type { EventRow } from '../replica/rows.ts'
import { useApplications } from '../replica/use-applications.ts'
import { useOrganizerEvent } from '../replica/use-events.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusMark, SyncMark } from '../ui/status-mark.tsx'
import { toast } from '../ui/toast.ts'
import { formatMoment } from './local-time.ts'
import { Applications } from './manage/applications.tsx'
import { DecisionUndo, heldDecisions } from './manage/decision-undo.tsx'
import { CustomizationStatus, EventDetails } from './manage/event-panels.tsx'
import { useDecisions } from './manage/use-decisions.ts'
import { MissingEvent } from './missing-event.tsx'
import { useMinute } from './use-minute.ts'
import { usePageTitle } from './page-title.ts'

/** Manage one event: who applied, decided with one thumb; below it the event itself. */
export function ManageEventScreen() {
  const id = idFrom(useParams()['id'])
  return id === null ? <NotFound id={id} /> : <ManageEvent key={id} id={id} />
}

function NotFound({ id }: { id: number | null }) {
  return (
    <MissingEvent id={id} title="Event Not Found">
      It does not exist, was deleted, or belongs to someone else.
    </MissingEvent>
  )
}

function ManageEvent({ id }: { id: number }) {
  const { status, row, asOf } = useOrganizerEvent(id)
  if (status === 'missing') return <NotFound id={id} />
  if (!row) {
    return (
      <Page back={{ to: paths.dashboard, label: 'Dashboard' }}>
        <Skeleton shape="detail" label="Loading the event" />
      </Page>
    )
  }
  return <ManageLoadedEvent row={row} asOf={asOf} />
}

function ManageLoadedEvent({ row, asOf }: { row: EventRow; asOf: string | null }) {
  const { event, counts, mark } = row
  usePageTitle(event.name)
  const { user } = useSession()
  const [search] = useSearchParams()
  const { status, applications } = useApplications(event.id)
  const unreachable = useObservable(reachability) === 'unreachable'
  const held = useMemo(() => heldDecisions(applications), [applications])
  const actions = useDecisions(user?.id ?? null)
  const now = useMinute()
  const times = formatTimes(event)

  return (
    <Page
      title={event.name}
      back={{ to: paths.dashboard, label: 'Dashboard' }}
      lead={
        <>
          {formatDateRange(event.startDate, event.endDate)}
          {times && ` · ${times}`}
          {counts.pending > 0 && (
            <span className="block font-medium text-signal tabular-nums">{counts.pending} waiting for you</span>
          )}
          {mark !== 'confirmed' && (
            <span className="block">
              <SyncMark state={mark} />
            </span>
          )}
        </>
      }
      titleAside={<EventActions row={row} userId={user?.id ?? null} />}
    >
      <Section
        id="applications"
        title="Beacon Applications"
        aside={
          // On a phone the chips below say the same.
          applications.length > 0 && (
            <p className="flex flex-wrap gap-2 max-sm:hidden">
              <StatusMark status="pending" count={counts.pending} />
              <StatusMark
                status="approved"
                count={counts.approved}
                unconfirmed={applications.some(
                  (one) => one.application.status === 'approved' && one.mark !== 'confirmed',
                )}
              />
              <StatusMark status="rejected" count={counts.rejected} />
            </p>
          )
        }
      >
        {status === 'loading' ? (
          <Skeleton shape="card" count={3} label="Loading applications" />
        ) : (
          <Applications
            rows={applications}
            counts={counts}
            actions={actions}
            openId={idFrom(search.get('application') ?? undefined)}
            lastHeld={held[0] ?? null}
            now={now}
            asOf={unreachable && asOf ? `as of ${formatMoment(asOf, now)}` : null}
            emptyAction={
              <ButtonLink to={paths.event(event.id)} variant="secondary">
                Open the event page
              </ButtonLink>
            }
          />
        )}
      </Section>
      <div className="mt-10 grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <EventDetails event={event} />
        <CustomizationStatus event={event} />
      </div>
      {/* What stands at the page's end must be reachable above the undo bar. */}
      {held.length > 0 && <div className="h-20" />}
      <DecisionUndo held={held} onUndo={actions.onUndo} />
    </Page>
  )
}

function EventActions({ row: { event }, userId }: { row: EventRow; userId: number | null }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState(false)
  const icon = 'size-4'

  async function remove() {
    setPending(true)
    try {
      await outbox.enqueue(deleteEvent, { id: event.id, name: event.name }, { userId })
      toast({
        title: 'Event Deleted',
        description: `${event.name} and its Beacon applications are gone from this phone; the server follows.`,
      })
      void navigate(paths.dashboard)
    } catch (error) {
      setPending(false)
      setAsking(false)
      const message = saveFailureText(error)
      toast({ title: `Failed to delete event: ${message}`, variant: 'destructive' })
    }
  }

  return (
    <>
      <ButtonLink
        to={paths.editEvent(event.id)}
        variant="secondary"
        icon={<Pencil aria-hidden="true" className={icon} />}
      >
        Edit
      </ButtonLink>
      <ButtonLink
        to={paths.customizeEvent(event.id)}
        variant="secondary"
        icon={<SlidersHorizontal aria-hidden="true" className={icon} />}
      >
        Customize
      </ButtonLink>
      <Button
        variant="danger-quiet"
        icon={<Trash2 aria-hidden="true" className={icon} />}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        confirmLabel="Delete Event"
        pending={pending}
        pendingText="Deleting..."
      >
        This action cannot be undone. It permanently deletes the event and all its Beacon applications.
      </ConfirmDialog>
    </>
  )
}
