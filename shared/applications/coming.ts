import type { Ruling } from '../contract/problem.ts'
import { hasEnded } from '../time/event-time.ts'
import type { ApplicationStatus } from './decide.ts'

interface Answered {
  readonly coming?: boolean | null | undefined
  readonly arrivedAt: unknown
}

/** Being there is a yes, whatever was said before. It is undefined while neither is known. */
export function saysComing({ coming, arrivedAt }: Answered): boolean | undefined {
  return arrivedAt === null ? (coming ?? undefined) : true
}

/** Everybody is expected who is not known to stay away. */
export const isExpected = (answered: Answered): boolean => saysComing(answered) !== false

/** Until the event is over, as often as plans change; the last answer wins. */
export function judgeComing(
  { status, coming }: { readonly status: ApplicationStatus; readonly coming?: boolean | null | undefined },
  wish: boolean,
  event: Parameters<typeof hasEnded>[0],
  now: Date,
): Ruling {
  if (status !== 'approved') return { refused: 'not_allowed_now', message: 'You are not a Beacon at this event.' }
  if (coming === wish) return 'already'
  if (!hasEnded(event, now)) return 'change'
  return { refused: 'not_allowed_now', message: 'This event is over.' }
}
