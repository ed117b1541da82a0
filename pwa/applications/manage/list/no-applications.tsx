import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ShareRow } from '../../share-row.tsx'

/** An event that no one has applied for says what brings applications, or that it is over. */
export function NoApplications({ event, isOver }: { event: EventDocument; isOver: boolean }) {
  return (
    <EmptyState
      illustration="beacons"
      title="No Beacon Applications"
      level={3}
      action={
        <>
          <ButtonLink to={paths.event(event.id)} variant="secondary">
            Open the event page
          </ButtonLink>
          {!isOver && (
            <>
              <ButtonLink to={paths.poster(event.id)} variant="secondary">
                Print a Poster
              </ButtonLink>
              <ShareRow shared={{ title: event.name, path: paths.event(event.id) }} />
            </>
          )}
        </>
      }
    >
      {isOver ? 'No one applied for this event.' : 'Share your event’s page; applications appear here at once.'}
    </EmptyState>
  )
}
