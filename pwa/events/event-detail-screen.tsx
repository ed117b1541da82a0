import { actingNow } from '../browser/acting.ts'
import { Suspense, useEffect, useState } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { useBeacons } from '../device/public-events.ts'
import { hasDatabase } from '../browser/browser-storage.ts'
import { may } from '../device/session/acting.ts'
import type { OwnStanding } from '../applications/own-standing.tsx'
import { ShareButton, ShareRow } from '../applications/share-row.tsx'
import { allEvents, PublicEventPage, type ShownEvent } from '../applications/public-event-page.tsx'
import { AsOf } from '../ui/page/as-of.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { FailureBoundary, loadable } from '../ui/failure-boundary.tsx'
import { Page } from '../ui/page.tsx'
import { EventArticle } from './event-article.tsx'

const sharedOf = ({ id, name }: PublicEvent) => ({ title: name, path: paths.event(id) })

function OwnerBar({ event }: { event: PublicEvent }) {
  const quiet = { variant: 'ghost', size: 'small', className: 'px-2.5' } as const
  return (
    <nav
      aria-label="Your event"
      className="no-print mb-6 flex items-center justify-end rounded-box bg-quiet-soft py-1 pr-1 pl-4"
    >
      <span aria-hidden="true" className="mr-auto text-sm text-muted max-[22rem]:hidden">
        Your event
      </span>
      <ButtonLink {...quiet} to={paths.manageEvent(event.id)}>
        Manage
      </ButtonLink>
      {may('manager') && (
        <ButtonLink {...quiet} to={paths.editEvent(event.id)}>
          Edit
        </ButtonLink>
      )}
      <ShareButton shared={sharedOf(event)} />
    </nav>
  )
}

const Watch = loadable(async () => (await import('../applications/own-standing.tsx')).WatchStanding)

/** Whether the device may know of an application; reading it is loaded only then, after the page's own work. */
function useMayHoldApplication(): boolean {
  const [mayHold, setMayHold] = useState(false)
  useEffect(() => {
    hasDatabase((name) => name === 'beaconry-outbox' || name === 'beaconry-device').then(setMayHold, () => undefined)
  }, [])
  return mayHold
}

function Detail({ event, asOf, stale, reload }: ShownEvent) {
  usePageTitle(event.name)
  const beacons = useBeacons(event.id)
  const userId = useSession().user?.id
  const isOwn = (actingNow()?.organizerId ?? userId) === event.organizerId
  const mayHold = useMayHoldApplication()
  const [standing, setStanding] = useState<OwnStanding | null>(null)
  return (
    <Page back={allEvents}>
      {mayHold && (
        // Without it the page offers to apply, which leads to the same place.
        <FailureBoundary of={event.id} renderInstead={() => null}>
          <Suspense fallback={null}>
            <Watch eventId={event.id} onFound={setStanding} />
          </Suspense>
        </FailureBoundary>
      )}
      {isOwn && <OwnerBar event={event} />}
      <AsOf asOf={asOf} stale={stale} onReload={reload} />
      <EventArticle
        event={event}
        asOf={asOf}
        beacons={beacons}
        isOwn={isOwn}
        standing={standing}
        share={<ShareRow shared={sharedOf(event)} short={isOwn} />}
      />
    </Page>
  )
}

export const EventDetailScreen = () => <PublicEventPage shown={Detail} />
