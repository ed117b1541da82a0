import type { ReactNode } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { type Entry, outbox, describeEntry } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { CalendarMenu } from '../calendar-menu.tsx'
import { sendComing, type Opened } from './use-own-page.ts'

const link = 'underline decoration-edge underline-offset-4'

function Where({ event }: { event: PublicEvent }) {
  const lines = [event.address, [event.city, event.state, event.zipCode].filter(Boolean).join(', ')].filter(Boolean)
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(lines.join(', '))}`
  return (
    <>
      <strong className="font-semibold">{event.location}</strong>
      <a href={map} target="_blank" rel="noopener noreferrer" className={`block py-1 ${link}`}>
        {lines.join('\n')}
        <span className="sr-only"> (map, opens in a new tab)</span>
      </a>
    </>
  )
}

function When({ event }: { event: PublicEvent }) {
  const times = formatTimes(event)
  return (
    <>
      <strong className="font-semibold">{formatEventDays(event)}</strong>
      {times && `\n${times}`}
    </>
  )
}

interface BriefingProps extends Pick<Opened, 'event' | 'application'> {
  readonly asOf: string
  /** The event is still to come, or on. */
  readonly isAhead: boolean
}

/** For the night; all of it is kept on the device. */
export function Briefing({ event, application, asOf, isAhead }: BriefingProps) {
  const { instructions, promoCode, post, beacons } = application.briefing ?? {}
  const items: { term: string; detail: ReactNode }[] = [
    { term: 'When', detail: <When event={event} /> },
    { term: 'Where', detail: <Where event={event} /> },
  ]
  if (post) items.push({ term: 'Your post', detail: <strong className="text-lg">{post}</strong> })
  if (instructions) items.push({ term: 'From the organizer', detail: instructions })
  if (promoCode)
    items.push({ term: 'Your code', detail: <strong className="text-xl tracking-wide select-all">{promoCode}</strong> })
  if (beacons && beacons.length > 0)
    items.push({ term: 'Beacons with you', detail: new Intl.ListFormat('en-US').format(beacons) })
  return (
    <>
      <DefinitionList items={items} />
      {isAhead && (
        <div className="mt-3">
          <CalendarMenu event={event} asOf={asOf} />
        </div>
      )}
    </>
  )
}

interface ComingProps {
  readonly opened: Opened
  readonly shown: OwnApplication
  readonly answering: Entry | null
  readonly onChanged: () => Promise<void>
}

/** The answer that was given is filled and the other one quiet; before there is one, a yes is what is asked for. */
export function lookOf(coming: boolean | undefined, answer: boolean): 'chosen' | 'primary' | 'secondary' {
  if (coming === undefined) return answer ? 'primary' : 'secondary'
  return coming === answer ? 'chosen' : 'secondary'
}

/** The last answer wins. Declining notifies the organizer. */
export function Coming({ opened, shown, answering, onChanged }: ComingProps) {
  const { coming } = shown
  const say = (wish: boolean) => void sendComing(opened, wish).then(onChanged).catch(didNotWork)
  return (
    <section aria-labelledby="coming">
      <h2 id="coming" className="text-lg">
        {coming === undefined ? 'Will you be there?' : coming ? 'You will be there' : 'You can’t come'}
      </h2>
      <p className="mt-1 text-sm text-muted">
        {coming === false
          ? 'Guests do not see you on the event’s page. You can change this until the event ends.'
          : 'The organizer is counting on your answer. You can change it until the event ends.'}
      </p>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {/* Both stay where they are: the second tap of a double one must not take the first back. */}
        <Button
          wide
          variant={lookOf(coming, true)}
          aria-pressed={coming === true}
          onClick={() => coming !== true && say(true)}
        >
          Yes, I’ll be there
        </Button>
        <Button
          wide
          variant={lookOf(coming, false)}
          aria-pressed={coming === false}
          onClick={() => coming !== false && say(false)}
        >
          I can’t come
        </Button>
      </div>
      {answering && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <SyncLabel state="on-this-phone" detail="your answer will be sent automatically" />
          {describeEntry(answering).neverLeft && (
            <Button
              variant="ghost"
              size="small"
              onClick={() => void outbox.undo(answering.seq).then(onChanged).catch(didNotWork)}
            >
              Undo
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
