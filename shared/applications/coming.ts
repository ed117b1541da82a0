import type { Ruling } from '../contract/problem.ts'
import { hasEnded } from '../time/event-time.ts'
import type { ApplicationStatus } from './decide.ts'

/** Until the event is over, as often as plans change; the newest word stands. */
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
