import type { Entry } from '../entry.ts'
import { laneOf, step, withLanes } from '../outbox-machine.ts'
import { addWalkIn } from './add-walk-in.ts'
import { applyAsBeacon } from './apply-as-beacon.ts'
import { createEvent } from './create-event.ts'
import { basisOf } from './entry-basis.ts'
import { findKnown } from './mutations.ts'

const creations: ReadonlySet<string> = new Set([createEvent.name, applyAsBeacon.name, addWalkIn.name])

/** Another id repairs such a refused creation. */
export function isIdTaken(entry: Pick<Entry, 'mutation' | 'state' | 'refusal'>): boolean {
  return creations.has(entry.mutation) && entry.state === 'parked' && entry.refusal?.problem.code === 'already_exists'
}

/**
 * Gives a refused creation another id, with all that waits behind it, under keys that no server has seen.
 * @param entries the whole queue, by seq
 * @returns the changed entries; none unless another id repairs it
 */
export function withOtherId(entries: readonly Entry[], seq: number, id: number, newKey: () => string): Entry[] {
  const refused = entries.find((entry) => entry.seq === seq)
  if (!refused || !isIdTaken(refused)) return []
  const keys = new Map<string, string>()
  const changed = entries.flatMap((entry): Entry[] => {
    if (entry.seq < seq || laneOf(entry) !== laneOf(refused) || entry.discarding) return []
    const known = findKnown(entry)
    if (!known) return []
    const basis = basisOf(known)
    const madeOn = basis === undefined ? {} : { basis: keys.get(basis ?? '') ?? basis }
    const args = { ...(known.args as { readonly id: number }), id, ...madeOn }
    const moved = { lane: known.mutation.lane(args), args, argsVersion: known.mutation.argsVersion }
    const key = newKey()
    keys.set(entry.key, key)
    if (entry !== refused) return [{ ...entry, ...moved, key, attempts: 0 }]
    const next = step(entry, { type: 'retried', key, ...moved })
    return next === 'gone' ? [] : [{ ...next, lane: moved.lane }]
  })
  return withLanes(entries, changed)
}
