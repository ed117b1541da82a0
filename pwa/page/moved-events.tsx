import { useObservable } from '../api/observable.ts'
import { paths } from '../paths.ts'
import { forgetMoved, movedEvents } from '../session/moved-events.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'

/** Events that were created on this phone under a number that another device used first: what was shared before leads elsewhere. */
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
