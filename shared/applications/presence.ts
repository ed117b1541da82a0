import { beginningsOf, dayAfter, dayBefore, endOf, eventDayOf, type EventDays } from '#shared/time/event-time.ts'

/**
 * Each day of the event has the time at which the organizer saw the Beacon (ISO), or null if they did not come. A day
 * without an answer is missing.
 */
export type Presence = Readonly<Record<string, string | null>>

interface Seen {
  /** This is the first arrival (ISO). */
  readonly arrivedAt: string | null
  readonly presence?: Presence | undefined
}

const correctableMs = 7 * 86_400_000

/** Until then the organizer can correct who came. */
export const correctableUntil = (event: EventDays): Date => new Date(endOf(event).getTime() + correctableMs)

/** Lists the days on which the event begins, or its nights. */
export function daysOf(event: EventDays): readonly string[] {
  const { first, last } = beginningsOf(event)
  const days = [first]
  for (let day = first; day < last; day = days.at(-1) ?? last) days.push(dayAfter(day))
  return days
}

/** Arrivals are noted from the evening before, for those who build up. */
export function isDayOf(event: EventDays, day: string): boolean {
  const { first, last } = beginningsOf(event)
  return day >= dayBefore(first) && day <= last
}

/** Finds the day of the event that counts for a moment, which may lie before it or after it. */
export function dayOfArrival(event: EventDays, seenAt: string): string {
  const { first, last } = beginningsOf(event)
  const day = eventDayOf(event, new Date(seenAt))
  if (day > last) return last
  return isDayOf(event, day) ? day : dayBefore(first)
}

/** An arrival that was noted without a day counts for the day it lies in. */
export function presenceOf({ arrivedAt, presence = {} }: Seen, event: EventDays): Presence {
  if (arrivedAt === null || Object.values(presence).includes(arrivedAt)) return presence
  return { ...presence, [dayOfArrival(event, arrivedAt)]: arrivedAt }
}

/** @param arrivedAt null where the Beacon did not come, undefined to take the answer back */
export function withDay(presence: Presence, day: string, arrivedAt: string | null | undefined): Presence {
  const others = Object.entries(presence).filter(([other]) => other !== day)
  const answers = arrivedAt === undefined ? others : [...others, [day, arrivedAt] as const]
  return Object.fromEntries(answers.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

export function firstArrival(presence: Presence): string | null {
  const arrivals = Object.values(presence).filter((at) => at !== null)
  return arrivals.toSorted()[0] ?? null
}

/** Tells whether a Beacon came on a day; undefined means that it was not answered. */
export function answerFor(presence: Presence, day: string): boolean | undefined {
  const answer = presence[day]
  return answer === undefined ? undefined : answer !== null
}

/**
 * It is asked once a day has passed: a Beacon who was only seen on the evening before has come to an event of one day,
 * too.
 */
export function cameOn(seen: Seen, event: EventDays, day: string): boolean | undefined {
  const presence = presenceOf(seen, event)
  const answer = answerFor(presence, day)
  const { first, last } = beginningsOf(event)
  if (answer !== undefined || first !== last) return answer
  return firstArrival(presence) === null ? undefined : true
}

/**
 * Tells whether a Beacon came at all. One who was only seen on the evening before came, too, unless it is known of the
 * event's days that they did not.
 */
export function came(seen: Seen, event: EventDays): boolean {
  const presence = presenceOf(seen, event)
  const answers = daysOf(event).flatMap((day) => answerFor(presence, day) ?? [])
  return answers.length > 0 ? answers.includes(true) : firstArrival(presence) !== null
}

/** Tells whether a Beacon is there on the present day or in the present night, and once the event is over if they came. */
export function isThere(seen: Seen, event: EventDays, now: Date): boolean {
  const today = eventDayOf(event, now)
  return today > beginningsOf(event).last ? came(seen, event) : answerFor(presenceOf(seen, event), today) === true
}
