import type { ComponentProps, ComponentType } from 'react'
import { useParams } from 'react-router-dom'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { usePublicEvent } from '../browse/public-source.ts'
import { EventAbsent, InvalidEventId } from '../page/event-absent.tsx'
import { idFrom, paths } from '../paths.ts'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'

/** A public event, and how current it is; see `Public` in pwa/browse/public-source.ts. */
export interface ShownEvent {
  readonly event: PublicEvent
  readonly asOf: string
  readonly stale: boolean
  readonly reload: () => void
}

interface PublicEventPageProps {
  readonly shown: ComponentType<ShownEvent>
  /** The page while the event is loading. */
  readonly loading?: Pick<ComponentProps<typeof Page>, 'title' | 'width'>
}

export const allEvents = { to: paths.events, label: 'All events' }

/** The page of the public event that the address names, or why there is none. */
export function PublicEventPage(props: PublicEventPageProps) {
  const id = idFrom(useParams()['id'])
  return id === null ? <InvalidEventId /> : <EventById key={id} id={id} {...props} />
}

function EventById({ id, shown: Shown, loading }: PublicEventPageProps & { id: number }) {
  const { status, value: event, asOf, stale, reload } = usePublicEvent(id)
  if (status === 'ready') return <Shown event={event} asOf={asOf} stale={stale} reload={reload} />
  if (status !== 'loading') return <EventAbsent unreachable={status === 'unreachable'} onReload={reload} />
  return (
    <Page back={allEvents} {...loading}>
      <Skeleton shape="detail" label="Loading the event" />
    </Page>
  )
}
