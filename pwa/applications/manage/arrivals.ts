import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { isExpected } from '#shared/applications/coming.ts'
import { answerFor, cameOn, correctableUntil, daysOf, isThere, presenceOf } from '#shared/applications/presence.ts'
import { beginningsOf, endOf, eventDayOf, instantOf, todayIn, type EventDays } from '#shared/time/event-time.ts'

type Arrival = Pick<ApplicationDocument, 'status' | 'arrivedAt' | 'presence'>

/** Says how arrivals are noted at a certain time. */
export interface Arrivals {
  readonly offered: boolean
  /** The last day or night is over: who was not marked in the rush can still be put right. */
  readonly isOver: boolean
  /** These are the event's days, of which each has an answer of its own. */
  readonly days: readonly string[]
  /** One button is about this day; it is null after an event of several days. */
  readonly day: string | null
  /** These have passed. */
  readonly pastDays: readonly string[]
  /**
   * Tells whether an approved Beacon was seen on this day, or in this night, and once the event is over whether they
   * were seen at all.
   */
  readonly of: (application: Arrival) => boolean
  /** Tells whether an approved Beacon came on a day of the event; undefined means that it was not answered. */
  readonly on: (application: Arrival, day: string) => boolean | undefined
  /** Gives the moment to note for a day, which lies within it. */
  readonly seenAt: (now: Date, day: string) => Date
}

export const noArrivals: Arrivals = {
  offered: false,
  isOver: false,
  days: [],
  day: null,
  pastDays: [],
  of: () => false,
  on: () => undefined,
  seenAt: (now) => now,
}

const dayMs = 86_400_000

/** Arrivals are offered from the evening before, for those who build up, until seven days after the end. */
export function arrivalsOf(event: EventDays, now: Date): Arrivals {
  const today = eventDayOf(event, now)
  const { last } = beginningsOf(event)
  const isOver = today > last
  const tomorrow = todayIn(event.timeZone, new Date(now.getTime() + dayMs))
  const days = daysOf(event)
  const isSingle = days.length === 1
  const on = (application: Arrival, day: string) =>
    day < today ? cameOn(application, event, day) : answerFor(presenceOf(application, event), day)
  return {
    offered: tomorrow >= event.startDate && now < correctableUntil(event),
    isOver,
    days,
    day: isOver ? (isSingle ? last : null) : today,
    pastDays: days.filter((day) => day < today),
    of: (application) => application.status === 'approved' && isThere(application, event, now),
    on: (application, day) => (application.status === 'approved' ? on(application, day) : undefined),
    seenAt(moment, day) {
      if (day === today) return moment
      return day === last ? endOf(event) : instantOf(day, event.startTime ?? '12:00', event.timeZone)
    },
  }
}

/** Gives the words of the buttons and the filter. */
export const arrivalWords = ({ isOver }: Pick<Arrivals, 'isOver'>) =>
  isOver ? { short: 'Came', long: 'Came' } : { short: 'Here', long: 'Here today' }

/** Says how many are there of the approved Beacons who do not stay away. */
export function hereLine(approved: readonly ApplicationDocument[], { of }: Pick<Arrivals, 'of'>): string {
  return `${approved.filter(of).length} of ${approved.filter(isExpected).length} here`
}
