import { paths } from '../paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

const browse = <ButtonLink to={paths.events}>Browse Events</ButtonLink>

/** The address holds no number. */
export function InvalidEventId() {
  return (
    <EmptyState illustration="lost" level={1} title="Invalid Event ID" action={browse}>
      The address of an event ends in a number. This link may have been cut off.
    </EmptyState>
  )
}

/** An event that does not exist, or that this device has never seen and cannot ask for now. */
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
