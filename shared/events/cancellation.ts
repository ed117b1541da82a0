import type { Refused } from '../contract/problem.ts'
import { applicationsClosedMessage, type EventDays, hasEnded } from '../time/event-time.ts'

/** A cancellation can be taken back for this long. */
export const takeBackMs = 86_400_000

export const eventCancelledMessage = 'This event is cancelled.'

/** Is shown where people cannot apply. */
export const closedMessageOf = (event: { readonly cancelledAt?: string | undefined }): string =>
  event.cancelledAt === undefined ? applicationsClosedMessage : eventCancelledMessage

type Judged = 'change' | 'already' | Refused

/** Other changes of the event do not matter to a cancellation, so it never conflicts with them. */
export function judgeCancellation(event: EventDays & { readonly cancelledAt: Date | null }, now: Date): Judged {
  if (event.cancelledAt !== null) return 'already'
  if (!hasEnded(event, now)) return 'change'
  return { refused: 'not_allowed_now', message: 'This event is over and can no longer be cancelled.' }
}

export function judgeTakingBack(cancelledAt: Date | null, now: Date): Judged {
  if (cancelledAt === null) return 'already'
  if (now.getTime() - cancelledAt.getTime() <= takeBackMs) return 'change'
  return {
    refused: 'not_allowed_now',
    message: 'A cancellation can be taken back for one day, and that day is over. Please create a new event.',
  }
}
