import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { signedIn } from '../calls/access.ts'
import type { Handler } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { getInstallationSecret } from '../db/installation-secret.ts'

/** Made by a migration, so that every backup holds it. */
const secretName = 'event-number-lease'

/** Says of an event number that it was given to an account, in a way that outlives the database's own memory of it. */
async function leaseProver(db: Knex): Promise<(userId: number, eventId: number) => string> {
  const secret = await getInstallationSecret(db, secretName)
  return (userId, eventId) => proofOf(secret, userId, eventId)
}

/** Whether a proof is ours, for this account and this number. It says nothing about whether the number was used. */
async function isLeaseProof(
  db: Knex,
  { userId, eventId, proof }: { readonly userId: number; readonly eventId: number; readonly proof: string },
): Promise<boolean> {
  const expected = Buffer.from(proofOf(await getInstallationSecret(db, secretName), userId, eventId))
  const given = Buffer.from(proof)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const proofOf = (secret: string, userId: number, eventId: number) =>
  createHmac('sha256', secret).update(`event-number:${userId}:${eventId}`).digest('base64url')

/**
 * Unused numbers one account holds, over all its devices, before those of other devices are passed on instead of new ones:
 * more than a phone may name as waiting in its queue, so that there always are some to pass on.
 */
const mostUnused = 600
/** How long the numbers of a device that is signed out stay its own: what waits in its queue may still be sent. */
const abandonedAfterMs = 30 * 86_400_000

/**
 * Real event numbers for a device, to give to events created without a network, each with a proof that it was given to this
 * account. A device that says which numbers it still has in use (`besides`) gets the unused ones it was given before, and new
 * ones only for what is missing: asking again uses nothing up. It is never refused: an account that holds very many numbers
 * gets those its other devices have not used for longest. An app that does not name what it holds gets other ones each time.
 */
export const leaseEventIds: Handler<'leaseEventIds'> = async (call) => {
  const { db, now, device, body } = call
  const { userId } = signedIn(call)
  // It leaves a row for each number, though it brings few bytes.
  await call.spend('account-change', `user:${userId}`, Math.ceil(body.count / 8))
  const besides = body.besides ?? []
  const owner = { userId, deviceId: device?.id ?? '', now }
  const ids: number[] = []
  if (body.besides !== undefined && owner.deviceId !== '')
    ids.push(...(await renewLeases(db, owner, besides, body.count)))
  if (ids.length < body.count) ids.push(...(await takeAbandoned(db, owner, body.count - ids.length)))
  if (ids.length < body.count) {
    const room = Math.max(0, mostUnused - (await countUnused(db, userId)))
    ids.push(...(await leaseNew(db, owner, Math.min(room, body.count - ids.length))))
  }
  if (ids.length < body.count) ids.push(...(await takeOldest(db, owner, [...besides, ...ids], body.count - ids.length)))
  ids.sort((one, other) => one - other)
  const prove = await leaseProver(db)
  return { ids, proofs: ids.map((id) => prove(userId, id)) }
}

/** Who leases, and when. */
interface Leasing {
  readonly userId: number
  /** Empty when the caller names none. */
  readonly deviceId: string
  readonly now: Date
}

/** The device's own unused numbers, the lowest first, leased anew. */
async function renewLeases(
  trx: Knex,
  { userId, deviceId, now }: Leasing,
  besides: readonly number[],
  count: number,
): Promise<number[]> {
  const mine = trx('event_id_leases')
    .where({ userId, deviceId })
    .whereNull('usedAt')
    .whereRaw('not event_id = any(?::int[])', [besides as unknown as Knex.Value])
    .orderBy('eventId')
    .limit(count)
    .forUpdate()
    .select('eventId')
  return await passOn(trx, mine, { deviceId, now })
}

/** Numbers of the account's devices that are signed out and have asked for none for a month. */
async function takeAbandoned(trx: Knex, { userId, deviceId, now }: Leasing, count: number): Promise<number[]> {
  const abandoned = trx('event_id_leases as l')
    .where({ userId })
    .whereNot({ deviceId })
    .whereNull('usedAt')
    .where('leasedAt', '<', new Date(now.getTime() - abandonedAfterMs))
    .whereNotExists(
      trx('sessions')
        .whereRaw('sessions.user_id = l.user_id and sessions.device_id = l.device_id')
        .whereNull('revokedAt')
        .where('expiresAt', '>', now)
        .where('absoluteExpiresAt', '>', now),
    )
    .orderBy(['leasedAt', 'eventId'])
    .limit(count)
    .forUpdate('l')
    .skipLocked()
    .select('eventId')
  return await passOn(trx, abandoned, { deviceId, now })
}

/** The account's numbers that were leased longest ago, other devices' first. */
async function takeOldest(
  trx: Knex,
  { userId, deviceId, now }: Leasing,
  besides: readonly number[],
  count: number,
): Promise<number[]> {
  const oldest = trx('event_id_leases')
    .where({ userId })
    .whereNull('usedAt')
    .whereRaw('not event_id = any(?::int[])', [besides as unknown as Knex.Value])
    .orderByRaw('device_id = ?, leased_at, event_id', [deviceId])
    .limit(count)
    .forUpdate()
    .select('eventId')
  return await passOn(trx, oldest, { deviceId, now })
}

async function passOn(
  trx: Knex,
  which: Knex.QueryBuilder,
  { deviceId, now }: Pick<Leasing, 'deviceId' | 'now'>,
): Promise<number[]> {
  const rows = await trx('event_id_leases')
    .whereIn('eventId', which)
    .whereNull('usedAt')
    .update({ deviceId, leasedAt: now })
    .returning('eventId')
  return rows.map((row) => row.eventId)
}

async function countUnused(trx: Knex, userId: number): Promise<number> {
  const counted = await trx('event_id_leases').where({ userId }).whereNull('usedAt').count({ held: '*' }).first()
  return Number(counted?.held ?? 0)
}

/**
 * Numbers that nobody was ever given. A database that was brought back from an earlier day may have its sequence below numbers
 * that became events since, by a proof: those are passed over.
 */
async function leaseNew(trx: Knex, { userId, deviceId, now }: Leasing, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const { rows } = await trx.raw<{ rows: { eventId: number }[] }>(
      `with drawn as materialized (select nextval('events_id_seq')::int as id from generate_series(1, ?))
       insert into event_id_leases (event_id, user_id, device_id, leased_at)
       select id, ?, ?, ? from drawn where not exists (select from events where events.id = drawn.id)
       on conflict do nothing returning event_id`,
      [count - ids.length, userId, deviceId, now] as Knex.Value[],
    )
    ids.push(...rows.map((row) => row.eventId))
  }
  return ids
}

/** A number for an event that comes without one; one that is an event or leased already is passed over, as in `leaseNew`. */
export async function drawEventId(trx: Knex): Promise<number> {
  for (;;) {
    const { rows } = await trx.raw<{ rows: { id: number; taken: boolean }[] }>(
      `with drawn as materialized (select nextval('events_id_seq')::int as id)
       select id, exists (select from events e where e.id = drawn.id)
         or exists (select from event_id_leases l where l.event_id = drawn.id) as taken from drawn`,
    )
    const [drawn] = rows
    if (drawn && !drawn.taken) return drawn.id
  }
}

const notGiven = 'This event number was not given to this account'
const taken = 'Another event has this number by now.'

/**
 * Uses a leased number. One that the database has forgotten, because it was brought back from a day before the lease, needs
 * its proof. Throws `already_exists` when it was used before or is somebody else's event by now, so that the app takes
 * another, and `invalid_input` when it was never this account's.
 */
export async function redeemLeasedId(
  trx: Knex,
  userId: number,
  { eventId, proof }: { readonly eventId: number; readonly proof: string | undefined },
  now: Date,
): Promise<void> {
  const used = await trx('event_id_leases').where({ eventId, userId }).whereNull('usedAt').update({ usedAt: now })
  // Without a proof the row alone says it; the event may exist all the same, made by a proof of before.
  if (used === 1) return await refuseTaken(trx, eventId)
  if (await trx('event_id_leases').where({ eventId, userId }).first('eventId'))
    throw new ProblemError('already_exists', 'This event was already created.')
  if (proof === undefined || !(await isLeaseProof(trx, { userId, eventId, proof })))
    throw new ProblemError('invalid_input', notGiven, { fields: { id: notGiven } })
  await refuseTaken(trx, eventId)
  const recorded = await trx.raw<{ rowCount: number }>(
    `insert into event_id_leases as l (event_id, user_id, device_id, leased_at, used_at) values (?, ?, '', ?, ?)
     on conflict (event_id) do update set user_id = excluded.user_id, used_at = excluded.used_at where l.used_at is null`,
    [eventId, userId, now, now],
  )
  if (recorded.rowCount === 0) throw new ProblemError('already_exists', taken)
  await moveSequencePast(trx, eventId)
}

async function refuseTaken(trx: Knex, eventId: number): Promise<void> {
  if (await trx('events').where({ id: eventId }).first('id')) throw new ProblemError('already_exists', taken)
}

/**
 * The sequence only ever goes forward, also while others draw from it. Nobody can use the numbers up this way: a proved number
 * was once drawn from this very sequence.
 */
async function moveSequencePast(trx: Knex, eventId: number): Promise<void> {
  await trx.raw(
    `select count(nextval('events_id_seq')) from generate_series(1, ?::bigint - (select last_value from events_id_seq))`,
    [eventId],
  )
}
