import { Navigate, useParams } from 'react-router-dom'
import { usePublicEvent } from '../device/public-events.ts'
import { idFrom, paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { StatusBadge } from '../ui/status-badge.tsx'
import { type ListedApplication, useMyApplications } from './my-applications.ts'
import { allUnsent, type OwnApplications } from './own-application.ts'
import { useOwnPage } from './own-page/use-own-page.ts'

/** The poster at the door leads here, and it leads on to the own page; works without a network. */
export function HereScreen() {
  const eventId = idFrom(useParams()['id'])
  usePageTitle('Check in')
  if (eventId === null) return <Navigate to={paths.events} replace />
  return <Here key={eventId} eventId={eventId} />
}

function Here({ eventId }: { eventId: number }) {
  const mine = useMyApplications()
  const { answer: event } = usePublicEvent(eventId)
  if (!mine) {
    return (
      <Page width="narrow">
        <Skeleton shape="detail" label="Looking for your application" />
      </Page>
    )
  }
  const { listed, own } = mine
  const here = listed.filter((one) => one.eventId === eventId)
  const [first, ...others] = here
  if (first && others.length === 0) return <Navigate to={paths.ownCheckIn(eventId, first.id)} replace />
  if (first) {
    return (
      <Page width="narrow" title="Who are you?" lead={event?.name}>
        <ul className="flex flex-col gap-4">
          {here.map((one) => (
            <Person key={one.token} listed={one} own={own} />
          ))}
        </ul>
      </Page>
    )
  }
  const isUnsent = allUnsent(own.disk.entries).some(({ args }) => args.eventId === eventId)
  return isUnsent ? <Unsent eventId={eventId} /> : <Unknown eventId={eventId} eventName={event?.name} />
}

function Person({ listed, own }: { listed: ListedApplication; own: OwnApplications }) {
  const { eventId, id, token } = listed
  const page = useOwnPage(token, eventId, own)
  const shown = page.status === 'ready' ? page.state.shown : null
  return (
    <Card as="li" padding="tight" className="hover:border-edge">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg break-words">
          <CardLink to={paths.ownCheckIn(eventId, id)}>
            {shown ? `${shown.firstName} ${shown.lastName}` : 'An application'}
          </CardLink>
        </h2>
        {shown && <StatusBadge status={shown.withdrawnAt ? 'withdrawn' : shown.status} />}
      </div>
    </Card>
  )
}

function Unsent({ eventId }: { eventId: number }) {
  return (
    <EmptyState
      illustration="offline"
      level={1}
      title="Your application waits on this device"
      action={<ButtonLink to={paths.apply(eventId)}>Your Application</ButtonLink>}
    >
      It has not been accepted yet, so ask the organizer to check you in.
    </EmptyState>
  )
}

function Unknown({ eventId, eventName }: { eventId: number; eventName: string | undefined }) {
  return (
    <EmptyState
      illustration="beacons"
      level={1}
      title="No application on this device"
      action={
        <ButtonLink to={paths.event(eventId)}>
          {eventName === undefined ? 'Event Page' : `About ${eventName}`}
        </ButtonLink>
      }
    >
      Open the link in your email on this phone, or ask the organizer to check you in.
    </EmptyState>
  )
}
