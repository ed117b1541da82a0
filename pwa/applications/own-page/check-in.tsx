import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { isHereNow, mayCheckIn } from '#shared/applications/check-in.ts'
import { type Entry, outbox, describeEntry } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { sendCheckIn, type Opened } from './use-own-page.ts'

interface CheckInProps {
  readonly opened: Opened
  readonly checkingIn: Entry | null
  readonly now: Date
  readonly onChanged: () => Promise<void>
}

/** Opening the page checks no one in: the poster at the door only leads to the button. */
export function CheckIn({ opened, checkingIn, now, onChanged }: CheckInProps) {
  const { event, application } = opened
  const isWanted = useLocation().hash === '#here'
  const isOffered = mayCheckIn(event, now)
  const isHere = isHereNow(event, application.arrivals ?? [], now)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isWanted) return
    section.current?.scrollIntoView({ block: 'center' })
    section.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [isWanted])

  if (!isOffered && !isWanted) return null
  return (
    <section ref={section} aria-labelledby="check-in">
      <h2 id="check-in" className="text-lg">
        {isHere ? 'You’re here' : 'Are you here?'}
      </h2>
      <p className="mt-1 text-sm text-muted">
        {isOffered ? words(isHere, checkingIn) : 'You can check in on the day of the event.'}
      </p>
      {isOffered && (
        <div className="mt-3">
          {/* It stays where it is, so that the second tap of a double one presses nothing else. */}
          <Button
            size="large"
            wide
            variant={isHere ? 'chosen' : 'primary'}
            aria-pressed={isHere}
            onClick={() => !isHere && void sendCheckIn(opened).then(onChanged).catch(didNotWork)}
          >
            I’m here
          </Button>
        </div>
      )}
      {checkingIn && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <SyncLabel state="on-this-phone" detail="it will be sent automatically" />
          {describeEntry(checkingIn).neverLeft && (
            <Button
              variant="ghost"
              size="small"
              onClick={() => void outbox.undo(checkingIn.seq).then(onChanged).catch(didNotWork)}
            >
              Undo
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function words(isHere: boolean, checkingIn: Entry | null): string {
  if (!isHere) return 'Let the organizer know that you have arrived.'
  return checkingIn ? 'The organizer sees it once it is sent.' : 'The organizer sees that you have arrived.'
}
