import type { Entry } from '../entry.ts'
import { findKnown, type Known } from './mutations.ts'

const needsAPerson = (entry: Entry) => entry.state === 'parked' || entry.state === 'blocked'

const eventName = (entry: Pick<Entry, 'userId'>, { mutation, args }: Known) =>
  `${entry.userId ?? 'visitor'} ${mutation.eventOf(args)}`

/**
 * Called in the order of the queue: a change that ends its event leaves after all that was made before it, apart from
 * refused changes and those behind them, which fall with the event.
 */
export function createEventOrder(): { mustWait(entry: Entry, known: Known): boolean } {
  const open = new Map<string, Set<string>>()
  return {
    mustWait(entry, known) {
      const event = eventName(entry, known)
      const lanes = open.get(event) ?? new Set()
      open.set(event, lanes)
      // In its own lane the order is kept anyway.
      const waits = known.mutation.closesEvent === true && [...lanes].some((lane) => lane !== entry.lane)
      if (entry.state !== 'acknowledged' && !needsAPerson(entry)) lanes.add(entry.lane)
      return waits
    },
  }
}

export const closesItsEvent = (entry: Entry) => findKnown(entry)?.mutation.closesEvent === true

/** Refused entries of an event and those behind them: without the event no repair of them can work. */
export function entriesEndingWithEvent(entries: readonly Entry[], eventId: number): Entry[] {
  return entries.filter((entry) => {
    const known = needsAPerson(entry) ? findKnown(entry) : undefined
    return known?.mutation.eventOf(known.args) === eventId
  })
}

export function entriesDroppedWithEvents(changed: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const ended = changed.filter((entry) => entry.state === 'acknowledged' && closesItsEvent(entry))
  return ended.flatMap((ending) => {
    const known = findKnown(ending)
    const mine = entries.filter(({ userId, seq }) => userId === ending.userId && seq !== ending.seq)
    return known ? entriesEndingWithEvent(mine, known.mutation.eventOf(known.args)) : []
  })
}
