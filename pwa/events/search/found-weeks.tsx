import { useDeferredValue, useEffect, useReducer, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { todayIn } from '#shared/time/event-time.ts'
import { Button } from '../../ui/button.tsx'
import { EventCard } from '../event-card.tsx'
import { byWeek } from './event-weeks.ts'
import type { Found } from './find-events.ts'

const readersZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export const weekLayout = 'mb-8 last:mb-0 lg:grid lg:grid-cols-[9.5rem_minmax(0,1fr)] lg:gap-x-6'
export const weekTitle = 'mb-3 block self-start text-xl lg:sticky lg:top-24 lg:pt-4'

/** These are painted before the others of the first page. */
const drawnFirst = 12
/** Five hundred cards hold a phone for five seconds; so many take half a second. */
const pageSize = 50
/** By history entry, so that Back finds the list as long as it was. */
const lengths = new Map<string, number>()

interface FoundWeeksProps {
  events: Extract<Found, { status: 'ready' }>['events']
  now: Date
  /** Follows the last event. */
  children: ReactNode
}

/** A person asks for more than the first page, so that the end of the page can be reached. */
export function FoundWeeks({ events, now, children }: FoundWeeksProps) {
  const { key } = useLocation()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const length = Math.min(lengths.get(key) ?? pageSize, events.length)
  const drawn = useDeferredValue(length, drawnFirst)
  const list = useRef<HTMLDivElement>(null)
  const focusAt = useRef<number>(undefined)
  useEffect(() => {
    if (focusAt.current === undefined || focusAt.current >= drawn) return
    list.current?.querySelectorAll('a')[focusAt.current]?.focus({ preventScroll: true })
    focusAt.current = undefined
  }, [drawn])
  const showMore = () => {
    lengths.set(key, length + pageSize)
    focusAt.current = length
    drawAgain()
  }
  return (
    <>
      <div ref={list}>
        {byWeek(events.slice(0, drawn), ({ event }) => event.startDate, todayIn(readersZone, now)).map((week) => (
          <section key={week.title} className={weekLayout}>
            <h2 className={weekTitle}>{week.title}</h2>
            <ul className="flex flex-col gap-4">
              {week.events.map(({ event, miles }) => (
                <EventCard key={event.id} event={event} miles={miles} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {length < events.length ? (
        <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button variant="secondary" onClick={showMore}>
            Show More Events
          </Button>
          <span className="text-muted">
            {length} of {events.length} shown
          </span>
        </div>
      ) : (
        children
      )}
    </>
  )
}
