import { hasEnded } from '#shared/time/event-time.ts'
import { Briefing, Coming } from './briefing.tsx'
import { CheckIn } from './check-in.tsx'
import { OrganizerMessages } from './organizer-messages.tsx'
import type { Opened, ReadyPage } from './use-own-page.ts'

interface OwnFactsProps {
  readonly opened: Opened
  readonly page: ReadyPage
  readonly isBeacon: boolean
  /** It was not taken back. */
  readonly isOpen: boolean
  readonly now: Date
  readonly onChanged: () => Promise<void>
}

/** On the day of the event the check-in comes first. A Beacon who was there is not asked any more whether they will be. */
export function OwnFacts({ opened, page, isBeacon, isOpen, now, onChanged }: OwnFactsProps) {
  const { event } = opened
  const { shown, answering, checkingIn } = page.state
  const isAsked = shown.arrivals === undefined
  const isAhead = isBeacon && !hasEnded(event, now) && event.cancelledAt === undefined
  return (
    <div className="flex flex-col gap-6 border-t border-base-300 pt-5">
      {isAhead && <CheckIn opened={opened} checkingIn={checkingIn} now={now} onChanged={onChanged} />}
      {isOpen && <OrganizerMessages messages={shown.messages} />}
      {isBeacon && <Briefing event={event} application={shown} asOf={page.asOf} isAhead={isAhead} />}
      {isAhead && isAsked && <Coming opened={opened} shown={shown} answering={answering} onChanged={onChanged} />}
    </div>
  )
}
