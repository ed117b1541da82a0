import { created } from '#shared/events/create.ts'
import { customizationRecord } from '#shared/events/event-record.ts'
import { stateOf } from '#shared/record/basis.ts'
import { newId } from '#shared/record/new-id.ts'
import { columnsOf } from '../db/column-names.ts'
import type { Knex } from 'knex'
import { signedIn } from '../calls/access.ts'
import { isUsable, subscriptionStatusOf } from '../billing/subscription-status.ts'
import { listSubscriptions, takeEvent } from '../billing/subscription-store.ts'
import type { Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { placeOf } from './event-place.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { isUsedId } from '../db/used-ids.ts'
import { eventColumns, findEvent, insertEvent } from './event-store.ts'

/**
 * Uses one of the plan's events where there are plans. The caller's own event under the id is answered as it is now;
 * another organizer's is refused, and the app offers another id.
 */
export const createEvent: Make<'createEvent'> = async (call) => {
  const { db, now, config } = call
  const { organizerId, role } = signedIn(call)
  const { id = newId(), ...given } = call.body
  const present = await findEvent(db, id)
  if (present?.organizerId === organizerId) return presentOrganizerEvent(present)
  if (present) throw idTaken()
  const place = await placeOf(given)
  const event = created({
    organizerId,
    fields: given,
    customization: given,
    ...place,
    createdAt: now.toISOString(),
    state: stateOf(call.key ?? ''),
  })
  const subscriptionId =
    config.billing === 'off' ? null : await takeOneOfThePlan(db, organizerId, now, role === 'owner')
  const columns = {
    ...eventColumns(event, place),
    ...columnsOf(customizationRecord, event),
    basis: event.basis,
    edition: event.edition,
    id,
    subscriptionId,
  }
  // The public list is read whole by every phone.
  await call.spend('new-event', `user:${organizerId}`)
  const row = await insertEvent(db, organizerId, columns, now)
  // Posters still show the id of a deleted event, so it names that event for good.
  if (!row || (await isUsedId(db, 'event', id))) throw idTaken()
  call.touch({ what: 'event', id: row.id, organizerId }, { what: 'account', id: organizerId })
  return presentOrganizerEvent(row)
}

const idTaken = () => new ProblemError('already_exists', 'Another event has this id.')

/**
 * From the oldest usable subscription; answers its id. A call that loses the last event looks again; it ends, because
 * in each round another call got one. Throws `plan_limit` with the reason.
 */
async function takeOneOfThePlan(trx: Knex, userId: number, now: Date, isOwn: boolean): Promise<number> {
  for (;;) {
    const held = await listSubscriptions(trx, userId)
    const usable = held.filter((subscription) => isUsable(subscription, now))
    for (const subscription of usable) {
      if (await takeEvent(trx, subscription, now)) return subscription.id
    }
    if (usable.length > 0) continue
    const { reason } = subscriptionStatusOf(held, now).canCreateEvent
    const own = reason ?? 'Your plan does not allow another event.'
    throw new ProblemError('plan_limit', isOwn ? own : 'The organizer’s plan does not allow another event.')
  }
}
