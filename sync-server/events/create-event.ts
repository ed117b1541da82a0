import { created, firstEdition } from '#shared/events/create.ts'
import { customizationRecord } from '#shared/events/event-record.ts'
import { columnsOf } from '../db/column-names.ts'
import type { Knex } from 'knex'
import { signedIn } from '../calls/access.ts'
import { isUsable, subscriptionStatusOf } from '../billing/subscription-status.ts'
import { listSubscriptions, takeEvent } from '../billing/subscription-store.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { Handler } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { drawEventId, redeemLeasedId } from './event-id-leases.ts'
import { placeOf } from './event-place.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { eventColumns, findEvent, insertEvent, isAlready, type EventColumns } from './event-store.ts'

/**
 * Publishes an event: uses one of the plan's, takes its number from the lease if it has one, tells both audiences. One that
 * is there under its number already, just as it is sent, is answered and not made again.
 */
export const createEvent: Handler<'createEvent'> = async (call) => {
  const { db, now } = call
  const { userId } = signedIn(call)
  const { id, lease, ...given } = call.body
  const place = await placeOf(given)
  const event = created({
    organizerId: userId,
    fields: given,
    customization: given,
    ...place,
    createdAt: now.toISOString(),
  })
  const columns = {
    ...eventColumns(event, place),
    ...columnsOf(customizationRecord, event),
    edition: event.edition,
  }
  const earlier = id === undefined ? undefined : await findUnchanged(db, userId, id, columns)
  if (earlier) return presentOrganizerEvent(earlier)
  const subscriptionId = await takeOneOfThePlan(db, userId, now)
  // For the public list, which everybody reads whole.
  await call.spend('new-event', `user:${userId}`)
  if (id !== undefined) await redeemLeasedId(db, userId, { eventId: id, proof: lease }, now)
  const numbered = { ...columns, id: id ?? (await drawEventId(db)), subscriptionId }
  const row = await insertEvent(db, userId, numbered, now)
  call.touch({ what: 'event', id: row.id, organizerId: userId }, { what: 'account', id: userId })
  return presentOrganizerEvent(row)
}

/** The caller's own event under this number, if it was created with just these values and not changed since. */
async function findUnchanged(
  trx: Knex,
  userId: number,
  eventId: number,
  columns: EventColumns,
): Promise<EventRow | undefined> {
  const row = await findEvent(trx, eventId)
  return row?.organizerId === userId && row.edition === firstEdition && isAlready(row, columns) ? row : undefined
}

/**
 * Takes one event from the oldest subscription that has one left. Whoever finds the last one gone meanwhile looks again:
 * each round somebody got an event, so it ends. Answers which subscription. Throws `plan_limit` with the reason.
 */
async function takeOneOfThePlan(trx: Knex, userId: number, now: Date): Promise<number> {
  for (;;) {
    const held = await listSubscriptions(trx, userId)
    const usable = held.filter((subscription) => isUsable(subscription, now))
    for (const subscription of usable) {
      if (await takeEvent(trx, subscription, now)) return subscription.id
    }
    if (usable.length > 0) continue
    const { reason } = subscriptionStatusOf(held, now).canCreateEvent
    throw new ProblemError('plan_limit', reason ?? 'Your plan does not allow another event.')
  }
}
