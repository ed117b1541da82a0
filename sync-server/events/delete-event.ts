import { giveEventBack } from '../billing/subscription-store.ts'
import type { Handler } from '../calls/handler.ts'
import { queueCancellationMails } from './event-mails.ts'
import { requireOwnerForChange } from './event-policy.ts'

const dayMs = 86_400_000

/**
 * Deletes an event with its applications; whoever still counted on it gets a mail. One that is less than a day old and never had an application gives its use of
 * the plan back (product decision).
 */
export const deleteEvent: Handler<'deleteEvent'> = async (call) => {
  const { db, now } = call
  const row = await requireOwnerForChange(db, call.caller, call.params.id)
  // An application that is just being stored holds a share of the event's lock, so none can slip in from here on.
  const applications = await db('applications').where({ eventId: row.id }).select('id')
  await queueCancellationMails(db, row, call)
  await db('events').where({ id: row.id }).del()
  const { organizerId } = row
  call.touch(
    { what: 'event', id: row.id, organizerId },
    ...applications.map(({ id }) => ({ what: 'application' as const, id, organizerId })),
  )
  const isUnused = applications.length === 0 && now.getTime() - row.createdAt.getTime() < dayMs
  if (isUnused && row.subscriptionId !== null) {
    await giveEventBack(db, row.subscriptionId)
    call.touch({ what: 'account', id: organizerId })
  }
  return undefined
}
