import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { saysComing } from '#shared/applications/coming.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { eventCancelledMessage } from '#shared/events/cancellation.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { type mutations } from '../sync/index.ts'
import { usePublicEvent } from '../device/public-events.ts'
import { browserLimits } from '../device/browser-limits.ts'
import { paths } from '../paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { TextField } from '../ui/text-field.tsx'
import { StatusBadge, SyncLabel } from '../ui/status-badge.tsx'
import { type ListedApplication, useMyApplications } from './my-applications.ts'
import { allUnsent, type OwnApplications } from './own-application.ts'
import { ownPageIn } from './own-page/link-token.ts'
import { useOwnPage } from './own-page/use-own-page.ts'

function nextStep(application: OwnApplication, event: PublicEvent | null, now: Date): string {
  const { status, withdrawnAt, arrivals } = application
  if (withdrawnAt) return 'You withdrew this application.'
  if (event?.cancelledAt !== undefined) return eventCancelledMessage
  if (event && hasEnded(event, now)) return 'This event is over.'
  if (status === 'pending') return 'The organizer decides. You’ll get the answer by email, and here.'
  if (status === 'rejected') return 'Not this time. Other events are looking for people like you.'
  const coming = saysComing({ ...application, arrivedAt: arrivals?.[0] ?? null })
  if (coming === undefined) return 'Next: say whether you will be there.'
  return coming ? 'You will be there: the page says where to stand.' : 'You said that you can’t come.'
}

function When({ event }: { event: PublicEvent | null }) {
  if (!event) return null
  const times = formatTimes(event)
  return (
    <p className="text-sm text-muted">
      {formatEventDays(event)}
      {times && ` · ${times}`}
    </p>
  )
}

function Sent({ listed, own }: { listed: ListedApplication; own: OwnApplications }) {
  const { eventId, id, eventName, token } = listed
  const page = useOwnPage(token, eventId, own)
  const { answer: event } = usePublicEvent(eventId)
  const now = useNow()
  const state = page.status === 'ready' ? page.state : null
  const name = event?.name ?? eventName ?? 'An event'
  return (
    <Card as="li" padding="tight" className="hover:border-edge">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg break-words">
          <CardLink to={paths.ownApplication(eventId, id)}>{name}</CardLink>
        </h2>
        {state && <StatusBadge status={state.shown.withdrawnAt ? 'withdrawn' : state.shown.status} />}
      </div>
      <When event={event} />
      <p className="mt-2">
        {page.status === 'missing'
          ? 'The organizer has deleted this event.'
          : state
            ? nextStep(state.shown, event, now)
            : 'Its state is known once there is a network.'}
      </p>
      {state &&
        (state.correcting ?? state.withdrawing ?? state.applyingAgain ?? state.answering ?? state.checkingIn) && (
          <p className="mt-2">
            <SyncLabel state="on-this-phone" detail="your change will be sent automatically" />
          </p>
        )}
    </Card>
  )
}

function Unsent({ args: { eventId, eventName }, refused }: { args: mutations.ApplyAsBeacon; refused: boolean }) {
  return (
    <Card as="li" padding="tight" className="hover:border-edge">
      <h2 className="text-lg break-words">
        <CardLink to={paths.apply(eventId)}>{eventName}</CardLink>
      </h2>
      <p className="mt-2">
        {refused ? (
          <SyncLabel state="needs-attention" detail="it was not accepted: open it and correct it" />
        ) : (
          <SyncLabel state="on-this-phone" detail="it will be sent automatically" />
        )}
      </p>
    </Card>
  )
}

/** An app on the home screen may have its own storage, in which no mailed links open. */
function OpenByLink() {
  const navigate = useNavigate()
  const [pasted, setPasted] = useState('')
  const [error, setError] = useState<string>()
  const open = (event: FormEvent) => {
    event.preventDefault()
    const path = ownPageIn(pasted, location.origin)
    if (path === null) setError('This is not the link of an application. You find it in the email we sent you.')
    else void navigate(path)
  }
  return (
    <form noValidate onSubmit={open} className="mt-8 flex flex-col gap-3">
      <TextField
        label="Applied somewhere else?"
        hint="Paste the link from your email, or from “My private link” on its page."
        autoComplete="off"
        autoCapitalize="none"
        value={pasted}
        error={error}
        onChange={({ target }) => {
          setPasted(target.value)
          setError(undefined)
        }}
      />
      <div>
        <Button type="submit" variant="secondary">
          Open Application
        </Button>
      </div>
    </form>
  )
}

/** Shows what was sent from this device, without a network, too. */
export function MyApplicationsScreen() {
  const mine = useMyApplications()
  if (!mine) {
    return (
      <TitledPage width="text" title="Your applications">
        <Skeleton shape="card" count={2} label="Loading your applications" />
      </TitledPage>
    )
  }
  const { listed, own } = mine
  const unsent = allUnsent(own.disk.entries)
  return (
    <TitledPage width="text" title="Your applications" lead="What you applied for on this device.">
      {listed.length + unsent.length === 0 ? (
        <EmptyState
          illustration="beacons"
          title="No applications on this device"
          action={<ButtonLink to={paths.events}>Browse Events</ButtonLink>}
        >
          Help people connect: find an event and apply to be a Beacon.{' '}
          {browserLimits().clearsAfterWeek &&
            'If you applied here more than a week ago, this browser may have cleared it: open it with the link in your email.'}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-4">
          {unsent.map(({ args, refused }) => (
            <Unsent key={args.eventId} args={args} refused={refused} />
          ))}
          {listed.map((one) => (
            <Sent key={one.token} listed={one} own={own} />
          ))}
        </ul>
      )}
      <OpenByLink />
    </TitledPage>
  )
}
