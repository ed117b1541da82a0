import { sessionState } from '../session/session-state.ts'
import type { KnownLog } from './mail-log-follower.ts'

/** Enough for the events and people one looks at in an evening. */
const mostKept = 30
const kept = new Map<string, KnownLog>()
let keptFor: number | null = null

const nameOf = (eventId: number, applicationId: number | null) => `${eventId}/${applicationId ?? ''}`

/** Only as long as the app is open, and only for who is signed in: who got which mail has no business on the disk. */
function forgetOthers(): void {
  const userId = sessionState.get().user?.id ?? null
  if (userId === keptFor) return
  kept.clear()
  keptFor = userId
}
sessionState.subscribe(forgetOthers)

/** The last answer about the mails of an event, or of one application to it. */
export function keptLog(eventId: number, applicationId: number | null): KnownLog | null {
  forgetOthers()
  return kept.get(nameOf(eventId, applicationId)) ?? null
}

export function keepLog(eventId: number, applicationId: number | null, log: KnownLog): void {
  forgetOthers()
  kept.delete(nameOf(eventId, applicationId))
  kept.set(nameOf(eventId, applicationId), log)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}
