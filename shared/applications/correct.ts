import type { Ruling } from '../contract/ruling.ts'
import { hasEnded } from '../time/event-time.ts'

/** What becomes of an applicant's correction: it is taken until they withdraw or the event is over. */
export function judgeCorrection(
  { withdrawnAt }: { readonly withdrawnAt: unknown },
  event: Parameters<typeof hasEnded>[0],
  now: Date,
): Ruling {
  if (withdrawnAt !== null) return { refused: 'not_allowed_now', message: 'You have withdrawn this application.' }
  if (!hasEnded(event, now)) return 'change'
  return { refused: 'not_allowed_now', message: 'This event is over: its applications stay as they are.' }
}
