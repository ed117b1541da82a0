import type { Entry } from '../entry.ts'
import { findKnown, type KnownMutation } from './mutations.ts'

const needsAPerson = (entry: Entry) => entry.state === 'parked' || entry.state === 'blocked'

const ownerOf = ({ userId }: Pick<Entry, 'userId'>) => userId ?? 'visitor'

/**
 * Called for each entry in the order of the queue; the order within a lane is kept anyway. A change that ends its event
 * leaves after all that was made before it, apart from refused changes and those behind them, which fall with the event.
 * A change of an event or application that was made on this device leaves after its creation, which may be held or
 * refused in another lane: the server would not know what it is about.
 */
export function createEventOrder(): { mustWait(entry: Entry, known: KnownMutation): boolean } {
  const open = new Map<string, Set<string>>()
  /** The lane of each creation that the server has not taken yet. */
  const creations = new Map<string, string>()
  return {
    mustWait(entry, { mutation, args }) {
      const owner = ownerOf(entry)
      const event = `${owner} events ${mutation.eventOf(args)}`
      const lanes = open.get(event) ?? new Set()
      open.set(event, lanes)
      const target = mutation.target(args)
      const document = target ? `${owner} ${target.collection} ${target.key}` : event
      const isAhead = (creation: string) => (creations.get(creation) ?? entry.lane) !== entry.lane
      const waits =
        isAhead(event) ||
        isAhead(document) ||
        (mutation.closesEvent === true && [...lanes].some((lane) => lane !== entry.lane))
      if (entry.state !== 'acknowledged' && !needsAPerson(entry)) lanes.add(entry.lane)
      if (target?.effect === 'create' && entry.state !== 'acknowledged') creations.set(document, entry.lane)
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
