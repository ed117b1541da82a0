import { Fragment, type ReactNode } from 'react'
import { mayBeArchived } from '#shared/applications/archive.ts'
import { todayIn } from '#shared/time/event-time.ts'
import { type EventRow, useArchived, foldedView } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonLine } from '../../ui/loading.tsx'

interface ArchivedProps {
  readonly event: EventRow['event']
  readonly now: Date
  /** The device keeps none of the event's applications. */
  readonly hasNone: boolean
  readonly children: ReactNode
}

/** Fetches what the device keeps no copy of, for as long as it is looked at. */
export function WithArchived({ event, now, hasNone, children }: ArchivedProps) {
  if (!mayBeArchived(event, todayIn(event.timeZone, now))) return <>{children}</>
  return (
    <Fetching key={event.id} eventId={event.id}>
      {!hasNone && children}
    </Fetching>
  )
}

/** Tells whether all applications of the event are on the device, so that they can be counted. */
export function useHasAll(event: EventRow['event'], now: Date): boolean {
  const { archivedEventId } = useObservable(foldedView)
  return archivedEventId === event.id || !mayBeArchived(event, todayIn(event.timeZone, now))
}

function Fetching({ eventId, children }: { eventId: number; children: ReactNode }) {
  const { answer, failure, isAsking, ask } = useArchived(eventId)
  // The list holds still for newcomers. With all that was fetched it begins again.
  if (answer !== null) return <Fragment key="all">{children}</Fragment>
  return (
    <>
      <output className="mb-3 block rounded-box bg-quiet-soft px-4 py-3">
        {failure && !isAsking ? (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p>
              {failure.kind === 'unreachable'
                ? 'This event is long over: its decided applicants are no longer kept on this device, and are shown when there is a network.'
                : failure.reason}
            </p>
            <Button variant="secondary" size="small" onClick={() => void ask()}>
              Try Again
            </Button>
          </div>
        ) : (
          <>
            <p className="mb-2">Fetching the applicants of an event that is long over...</p>
            <SkeletonLine className="h-3 w-40" />
          </>
        )}
      </output>
      {children}
    </>
  )
}
