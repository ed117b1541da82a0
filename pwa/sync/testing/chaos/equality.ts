import { setTimeout as delay } from 'node:timers/promises'
import type { OrganizerPhone } from './phone.ts'
import type { Witness } from './witness.ts'

/**
 * P6: so long after the last fault, and after the last change, every organizer's phone holds what the server holds, in
 * milliseconds of this machine: the server and the network, whose work this is, keep its time and not the phones'.
 */
export const equalWithinMs = 10_000

/** How often the phones are looked at, in milliseconds of this machine. */
const lookEveryMs = 10

/** How far each scope's feed has come. */
export async function versionsOf(witness: Witness): Promise<Map<string, number>> {
  const rows = await witness.query<{ scope: string; version: number }>('select scope, version from sync_scope')
  return new Map(rows.map(({ scope, version }) => [scope, version]))
}

/**
 * Waits until each organizer's phone holds everything the server holds at this moment. Nobody asks them to: they pull as
 * they did all the time.
 * @returns how many milliseconds it took; at most twice what is allowed
 */
export async function equalled(organizers: readonly OrganizerPhone[], witness: Witness): Promise<number> {
  const begunAt = Date.now()
  const versions = await versionsOf(witness)
  const isEqual = ({ userId, replica }: OrganizerPhone) =>
    replica.shown().appliedVersion >= (versions.get(`org:${userId}`) ?? Infinity)
  while (!organizers.every(isEqual) && Date.now() - begunAt < 2 * equalWithinMs) await delay(lookEveryMs)
  return Date.now() - begunAt
}
