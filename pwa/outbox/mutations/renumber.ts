import type { Entry } from '../entry.ts'
import { findKnown } from './mutations.ts'
import { createEvent } from './create-event.ts'
import type { CreateEvent } from './create-event.ts'
import { laneOf, step, withLanes } from '../outbox-machine.ts'

/** Another number for an event, as the server gave it to this device. */
export interface NewNumber {
  readonly id: number
  readonly proof?: string
}

/**
 * Whether a creation was refused for its number alone: another event has it, or the server does not know that it was given
 * to this account. Nothing is wrong with the event, so it can be created under another one.
 */
export function needsAnotherNumber(entry: Pick<Entry, 'mutation' | 'state' | 'refusal'>): boolean {
  const problem = entry.refusal?.problem
  if (entry.mutation !== createEvent.name || entry.state !== 'parked' || !problem) return false
  const wrong = Object.keys(problem.fields ?? {})
  return (
    problem.code === 'already_exists' || (problem.code === 'invalid_input' && wrong.length === 1 && wrong[0] === 'id')
  )
}

/**
 * A refused creation under another number, with everything that waits behind it: edits and questions of the same event. None
 * of it has run, and all of it gets keys that no server has seen.
 * @param entries the whole queue, by seq @returns the entries that changed; none when the creation is no longer refused so
 */
export function renumbered(
  entries: readonly Entry[],
  creation: Pick<Entry, 'key'>,
  number: NewNumber,
  newKey: () => string,
): Entry[] {
  const refused = entries.find(({ key }) => key === creation.key)
  if (!refused || !needsAnotherNumber(refused)) return []
  const keys = new Map<string, string>()
  const changed = entries.flatMap((entry): Entry[] => {
    if (entry.seq < refused.seq || laneOf(entry) !== laneOf(refused) || entry.discarding) return []
    const known = findKnown(entry)
    if (!known) return []
    const { id, proof } = number
    const { lease: _former, ...args } = { ...(known.args as CreateEvent), id }
    const moved = {
      lane: known.mutation.lane(args),
      args: entry === refused && proof !== undefined ? { ...args, lease: proof } : args,
      argsVersion: known.mutation.argsVersion,
    }
    const key = newKey()
    keys.set(entry.key, key)
    const after = entry.after === undefined ? {} : { after: keys.get(entry.after) ?? entry.after }
    if (entry !== refused) return [{ ...entry, ...moved, ...after, key, attempts: 0 }]
    const next = step(entry, { type: 'retried', key, ...moved })
    return next === 'gone' ? [] : [{ ...next, lane: moved.lane }]
  })
  return withLanes(entries, changed)
}
