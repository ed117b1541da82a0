import type { Knex } from 'knex'
import { signedIn } from '../accounts/signed-in.ts'
import type { Handler } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'

/** Unused numbers one person may hold, over all devices: numbers are cheap, but not without end. */
const mostUnused = 400

/** Real event numbers for a device, to give to events created without a network. */
export const leaseEventIds: Handler<'leaseEventIds'> = async (call) => {
  const { userId } = signedIn(call)
  const { count } = call.body
  const held = await call
    .db('event_id_leases')
    .where({ user_id: userId })
    .whereNull('used_at')
    .count({ held: '*' })
    .first()
  if (Number(held?.held ?? 0) + count > mostUnused) {
    throw new ProblemError('not_allowed_now', 'This account already holds more event numbers than it can use.')
  }
  const { rows } = await call.db.raw<{ rows: { event_id: number }[] }>(
    `insert into event_id_leases (event_id, user_id, device_id, leased_at)
     select nextval('events_id_seq'), ?, ?, ? from generate_series(1, ?) returning event_id`,
    [userId, call.device?.id ?? '', call.now, count] as Knex.Value[],
  )
  return { ids: rows.map((row) => row.event_id).sort((a, b) => a - b) }
}

/** Uses a leased number. Throws when it is not one of the caller's own, or was used before. */
export async function redeemLeasedId(trx: Knex, userId: number, eventId: number, now: Date): Promise<void> {
  const used = await trx('event_id_leases')
    .where({ event_id: eventId, user_id: userId })
    .whereNull('used_at')
    .update({ used_at: now })
  if (used === 1) return
  const known = await trx('event_id_leases').where({ event_id: eventId, user_id: userId }).first('event_id')
  if (known) throw new ProblemError('already_exists', 'This event was already created.')
  const message = 'This event number was not given to this account'
  throw new ProblemError('invalid_input', message, { fields: { id: message } })
}
