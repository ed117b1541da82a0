import { application } from '#shared/applications/application-calls.ts'
import type { ApplicationStatus } from '#shared/applications/application-status.ts'
import { byServerClock } from '../api/server-time.ts'
import type { Entry } from '../outbox/entry.ts'
import { findKnown } from '../outbox/mutations/mutations.ts'
import { decideApplication } from '../outbox/mutations/decide-application.ts'
import type { DecideApplication } from '../outbox/mutations/decide-application.ts'
import { formatMoment } from '../page/local-time.ts'

const verbs: Record<ApplicationStatus, string> = { pending: 'set back', approved: 'approved', rejected: 'rejected' }

/** The part of the server's document that a conflict tells about; a newer server may say more. */
const current = application.pick({ status: true, decidedAt: true, decidedOn: true }).loose()

/** Two devices that decided differently about one applicant. */
export interface DecisionConflict {
  readonly name: string
  readonly mine: DecideApplication['status']
  readonly theirs: ApplicationStatus
  /** "You rejected Ana Ruiz on iPad at 10:31 AM; this phone approved Ana Ruiz at 10:29 AM." */
  readonly sentence: string
}

/** The conflict a refused decision ran into; null when it was refused for another reason. */
export function decisionConflictOf(entry: Entry, now: Date): DecisionConflict | null {
  const known = findKnown(entry)
  if (!known || entry.mutation !== decideApplication.name || entry.refusal?.problem.code !== 'conflict') return null
  const { name, status } = known.args as DecideApplication
  const theirs = current.safeParse(entry.refusal.problem.current).data
  if (!theirs) return null
  const where = theirs.decidedOn ? `on ${theirs.decidedOn}` : 'on another device'
  const when = theirs.decidedAt ? ` at ${formatMoment(theirs.decidedAt, now)}` : ''
  return {
    name,
    mine: status,
    theirs: theirs.status,
    sentence: `You ${verbs[theirs.status]} ${name} ${where}${when}; this phone ${verbs[status]} them at ${formatMoment(byServerClock(entry.createdAt), now)}.`,
  }
}
