import type { Refused, Ruling } from '../contract/problem.ts'
import { isUpcoming } from '../time/event-time.ts'

/** What an edit counts. */
interface Edited {
  /** How often it was written, its creation included. */
  readonly edition: number
}

/**
 * What becomes of an edit: one made on an edition that is no longer the newest is a conflict, unless all is as it wishes. One
 * made on an edition that is not known here always is: a server that went back to an earlier moment may look as wished until
 * that edition is brought back.
 */
export function judgeEdit(
  { edition }: Edited,
  { isAlready, expectedEdition }: { readonly isAlready: boolean; readonly expectedEdition?: number | undefined },
): Ruling {
  if (expectedEdition !== undefined && expectedEdition > edition)
    return { refused: 'conflict', message: 'The server does not know the change before this one.' }
  if (isAlready) return 'already'
  if (expectedEdition === undefined || expectedEdition === edition) return 'change'
  return { refused: 'conflict', message: 'This event was changed on another device meanwhile.' }
}

type Days = Parameters<typeof isUpcoming>[0]

/** An event that is over is not moved into the future: its applications were for the day it had. */
export function judgeMove(before: Days, after: Days, now: Date): Refused | undefined {
  if (isUpcoming(before, now) || !isUpcoming(after, now)) return undefined
  return { refused: 'not_allowed_now', message: 'This event has already ended. Please create a new event.' }
}

/**
 * An event after an edit. Where its edition is not the expected one, the phone is ahead of what it was told, and counts on from
 * its own.
 */
export function edited<E extends Edited, F extends object>(
  event: E,
  fields: F,
  expectedEdition = event.edition,
): E & F {
  return { ...event, ...fields, edition: expectedEdition + 1 }
}
