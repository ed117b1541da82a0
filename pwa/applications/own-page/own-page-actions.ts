import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { Entry } from '../../outbox/entry.ts'
import { correctApplication } from '../../outbox/mutations/correct-application.ts'
import { withdrawApplication } from '../../outbox/mutations/withdraw-application.ts'
import { neverLeft } from '../../outbox/outbox-machine.ts'
import { outbox } from '../../outbox/outbox.ts'
import { ownChanges } from './own-page-state.ts'

/** An application, and what opens it. */
export interface Opened {
  readonly token: string
  readonly event: PublicEvent
  readonly application: OwnApplication
}

const isReplaceable = (entry: Entry) =>
  entry.mutation === correctApplication.name && (entry.state === 'parked' || neverLeft(entry))

/** Queues a correction; it takes the place of one that was refused or has not left yet. */
export async function sendCorrection({ token, event, application }: Opened, fields: ApplicationFields): Promise<void> {
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, token, fields }
  const earlier = ownChanges(await outbox.pendingFor(null), application.id).findLast(isReplaceable)
  if (earlier && (await outbox.editAndResend(earlier.seq, correctApplication, args)) === 'resent') return
  await outbox.enqueue(correctApplication, args, { userId: null })
}

/** Queues a withdrawal. Corrections that were refused or have not left yet have lost their point, and must not hold it up. */
export async function sendWithdrawal({ token, event, application }: Opened): Promise<void> {
  for (const entry of ownChanges(await outbox.pendingFor(null), application.id)) {
    if (isReplaceable(entry)) await outbox.discard(entry.seq)
  }
  const name = `${application.firstName} ${application.lastName}`
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, name, token }
  await outbox.enqueue(withdrawApplication, args, { userId: null })
}
