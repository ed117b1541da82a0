import type { ComponentProps, ComponentType } from 'react'
import { useParams } from 'react-router-dom'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { usePublicEvent } from '../device/public-events.ts'
import { idFrom, paths } from '../paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { useView } from './came-from.ts'

/** The server said so at `asOf` (ISO). `stale` means that the newest attempt failed. */
export interface ShownEvent {
  readonly event: PublicEvent
  readonly asOf: string
  readonly stale: boolean
  readonly reload: () => void
}

interface PublicEventPageProps {
  readonly shown: ComponentType<ShownEvent>
  readonly loading?: Pick<ComponentProps<typeof Page>, 'title' | 'width'>
  /** It is shown instead of the message that there is no such event. */
  readonly missing?: ComponentType<{ readonly id: number }>
}

export const allEvents = { to: paths.events, label: 'All events' }

export function PublicEventPage(props: PublicEventPageProps) {
  const id = idFrom(useParams()['id'])
  return id === null ? <InvalidEventId /> : <EventById key={id} id={id} {...props} />
}

function EventById({ id, shown: Shown, loading, missing: Missing }: PublicEventPageProps & { id: number }) {
  const { answer: event, asOf, failure, ask } = usePublicEvent(id)
  const reload = () => void ask()
  if (event && asOf !== null)
    return <Viewed event={event} asOf={asOf} stale={failure !== null} reload={reload} shown={Shown} />
  if (failure?.kind === 'missing' && Missing) return <Missing id={id} />
  if (failure) return <EventAbsent unreachable={failure.kind !== 'missing'} onReload={reload} />
  return (
    <Page back={allEvents} {...loading}>
      <Skeleton shape="detail" label="Loading the event" />
    </Page>
  )
}

function Viewed({ shown: Shown, ...shownEvent }: ShownEvent & Pick<PublicEventPageProps, 'shown'>) {
  useView(shownEvent.event.id)
  return <Shown {...shownEvent} />
}

const browse = <ButtonLink to={paths.events}>Browse Events</ButtonLink>

export function InvalidEventId() {
  return (
    <EmptyState illustration="lost" level={1} title="Invalid Event ID" action={browse}>
      The address of an event ends in a number. This link may have been cut off.
    </EmptyState>
  )
}

/** `unreachable`: never seen here, and the server does not answer. */
export function EventAbsent({ unreachable, onReload }: { unreachable: boolean; onReload: () => void }) {
  if (unreachable) {
    return (
      <EmptyState
        illustration="offline"
        level={1}
        title="This event is not on this device yet"
        action={
          <>
            <Button onClick={onReload}>Try Again</Button>
            <ButtonLink to={paths.events} variant="secondary">
              Browse Events
            </ButtonLink>
          </>
        }
      >
        Beaconry cannot be reached. Events you have opened before are here without a network too.
      </EmptyState>
    )
  }
  return (
    <EmptyState illustration="lost" level={1} title="Event Not Found" action={browse}>
      It may have been deleted by its organizer.
    </EmptyState>
  )
}
