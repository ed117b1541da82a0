import type { Ruling } from '../contract/problem.ts'
import { eventDayOf, hasEnded, type EventDays } from '../time/event-time.ts'
import type { ApplicationStatus } from './decide.ts'
import {
  answerFor,
  correctableUntil,
  dayOfArrival,
  firstArrival,
  isDayOf,
  presenceOf,
  withDay,
  type Presence,
} from './presence.ts'

interface Seen {
  /** This is the first arrival (ISO). */
  readonly arrivedAt: string | null
  readonly presence: Presence
}

/** Beacons check in from the evening before, for those who build up, until the event is over. */
export const mayCheckIn = (event: EventDays, now: Date): boolean =>
  isDayOf(event, eventDayOf(event, now)) && !hasEnded(event, now)

/** Whether one of these arrivals (ISO) belongs to the day of the event that it is now. */
export const isHereNow = (event: EventDays, arrivals: readonly string[], now: Date): boolean =>
  arrivals.some((at) => dayOfArrival(event, at) === eventDayOf(event, now))

/**
 * An approved Beacon says to be here, perhaps hours before the server hears of it.
 * @param seenAt when it was said
 */
export function judgeCheckIn(
  { status, ...seen }: Seen & { readonly status: ApplicationStatus },
  seenAt: Date,
  event: EventDays,
  now: Date,
): Ruling {
  if (status !== 'approved') return refused('You are not a Beacon at this event.')
  const day = eventDayOf(event, seenAt)
  if (answerFor(presenceOf(seen, event), day) === true) return 'already'
  if (now >= correctableUntil(event)) return refused('This event is over.')
  if (!isDayOf(event, day)) return refused('You can check in from the day before the event until it ends.')
  return 'change'
}

const refused = (message: string): Ruling => ({ refused: 'not_allowed_now', message })

/** The last answer wins: an organizer who said that the Beacon did not come can say so again. */
export function checkedIn(seen: Seen, seenAt: Date, event: EventDays): Seen {
  const presence = withDay(presenceOf(seen, event), eventDayOf(event, seenAt), seenAt.toISOString())
  return { arrivedAt: firstArrival(presence), presence }
}
