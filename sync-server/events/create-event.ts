import type { Knex } from 'knex'
import { accountChange } from '../accounts/account-document.ts'
import { signedIn } from '../accounts/signed-in.ts'
import { isUsable, subscriptionStatusOf } from '../billing/subscription-status.ts'
import { listSubscriptions, takeEvent } from '../billing/subscription-store.ts'
import type { Handler } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { eventChanges } from './event-changes.ts'
import { redeemLeasedId } from './event-id-leases.ts'
import { placeOf } from './event-place.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { customizationColumns, eventColumns, insertEvent } from './event-store.ts'

/** Publishes an event: uses one of the plan's, takes its number from the lease if it has one, tells both audiences. */
export const createEvent: Handler<'createEvent'> = async (call) => {
  const { userId } = signedIn(call)
  const { id, customBeaconEmailSubject, customBeaconEmailBody, customQuestions, showDefaultQuestions, ...fields } =
    call.body
  const subscriptionId = await takeOneOfThePlan(call.db, userId, call.now)
  if (id !== undefined) await redeemLeasedId(call.db, userId, id, call.now)
  const columns = {
    ...eventColumns(fields, await placeOf(fields)),
    ...customizationColumns({ customBeaconEmailSubject, customBeaconEmailBody, customQuestions, showDefaultQuestions }),
    subscription_id: subscriptionId,
    ...(id === undefined ? {} : { id }),
  }
  const row = await insertEvent(call.db, userId, columns, call.now)
  call.publish([...eventChanges(row, 0), await accountChange(call.db, userId, call.now)])
  return presentOrganizerEvent(row)
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
