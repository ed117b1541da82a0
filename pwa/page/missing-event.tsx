import type { ReactNode } from 'react'
import { useObservable } from '../api/observable.ts'
import { createEvent } from '../outbox/mutations/create-event.ts'
import { targetOf } from '../outbox/mutations/mutations.ts'
import { paths } from '../paths.ts'
import { forgetMoved, movedEvents } from '../session/moved-events.ts'
import { useSession } from '../session/session.ts'
import { useOutbox } from '../session/use-outbox.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

/**
 * An event that is not on this device, with the way back. If it was published here and the server refused it, the page
 * says so instead and leads to the repair.
 */
export function MissingEvent({ id, title, children }: { id: number | null; title: string; children: ReactNode }) {
  const { user } = useSession()
  const { items } = useOutbox()
  const refused = items.find(
    ({ entry, mark }) =>
      mark === 'needs-attention' && entry.mutation === createEvent.name && targetOf(entry)?.key === String(id),
  )
  return (
    <Page>
      {user && <MovedEvents userId={user.id} />}
      {refused ? (
        <EmptyState
          illustration="inbox"
          title="Not published yet"
          level={1}
          action={<ButtonLink to={paths.sync}>See what needs attention</ButtonLink>}
        >
          {refused.reason} Nothing you wrote is lost.
        </EmptyState>
      ) : (
        <EmptyState
          illustration="lost"
          title={title}
          level={1}
          action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
        >
          {children}
        </EmptyState>
      )}
    </Page>
  )
}

/** Events that were created on this device under a number that another device used first: what was shared before leads elsewhere. */
export function MovedEvents({ userId }: { userId: number }) {
  const moved = useObservable(movedEvents)
  if (moved.length === 0) return null
  return (
    <Alert
      variant="signal"
      title={moved.length === 1 ? 'An event has a new address' : 'Some events have a new address'}
    >
      <p>
        Another device had used the number first, so the event was published under a new one. Links and QR codes that
        you shared or printed before do not lead to it: please share them again.
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {moved.map(({ name, from, to }) => (
          <li key={to}>
            “{name}” was event {from} and is now event {to}.
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        {moved.map(({ name, to }) => (
          <ButtonLink key={to} variant="secondary" size="small" to={paths.manageEvent(to)}>
            Open {name}
          </ButtonLink>
        ))}
        <Button variant="ghost" size="small" onClick={() => void forgetMoved(userId)}>
          Got it
        </Button>
      </div>
    </Alert>
  )
}
