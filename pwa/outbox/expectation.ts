import type { Entry } from './entry.ts'
import type { Mutation } from './mutation.ts'
import { findKnown } from './mutations.ts'
import { laneOf } from './outbox-machine.ts'

/** Shown on the screen as done, so that the next change of the row was made on top of it. */
const isFolded = (entry: Entry) => entry.state !== 'parked' && entry.state !== 'blocked' && !entry.discarding

/**
 * A change that is queued behind others of its lane was made on what the screen showed: their result. Two taps faster
 * than the screen still count on each other.
 * @param lane the lane's entries, by seq
 */
export function countOnPredecessor<A>(
  mutation: Mutation<A>,
  args: A,
  lane: readonly Entry[],
): { args: A; basedOn?: number } {
  const given = mutation.expected?.of(args)
  if (!mutation.expected || given === undefined) return { args }
  // A change without a count, such as "here today", stands between without changing it.
  const predecessor = lane.findLast((entry) => isFolded(entry) && resultOf(entry) !== undefined)
  const known = predecessor && findKnown(predecessor)
  const result = known?.mutation.expected?.result(known.args)
  // Made on more than the predecessor's result, it was made on what the server said since: it counts on that alone.
  if (!predecessor || result === undefined || given > result) return { args }
  return { args: mutation.expected.with(args, result), basedOn: predecessor.seq }
}

/** What the change of one entry means for those that count on its result. */
export interface Shift {
  readonly seq: number
  /** By how much the result differs from what was counted on. */
  readonly delta: number
  /** The entry is gone: its followers count on what it counted on. */
  readonly gone?: boolean
}

/** The followers whose arguments change when an earlier entry goes or changes its own expectation. None of them has run. */
export function shiftFollowers(entries: readonly Entry[], origin: Entry, shift: Shift): Entry[] {
  const moved = new Set([shift.seq])
  const changed: Entry[] = []
  for (const entry of entries) {
    if (
      entry.seq <= shift.seq ||
      laneOf(entry) !== laneOf(origin) ||
      entry.basedOn === undefined ||
      !moved.has(entry.basedOn)
    )
      continue
    moved.add(entry.seq)
    if (entry.state === 'acknowledged') continue
    const known = findKnown(entry)
    const expected = known?.mutation.expected
    const count = known && expected?.of(known.args)
    const args = known && expected && count !== undefined ? expected.with(known.args, count + shift.delta) : undefined
    const { basedOn, ...rest } = entry
    const base = shift.gone && basedOn === shift.seq ? origin.basedOn : basedOn
    changed.push({
      ...rest,
      ...(base === undefined ? {} : { basedOn: base }),
      ...(known && args !== undefined ? { args, argsVersion: known.mutation.argsVersion } : {}),
    })
  }
  return changed
}

/** What an entry's result would be counted as; undefined for changes without a count. */
export function resultOf(entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion'>): number | undefined {
  const known = findKnown(entry)
  return known?.mutation.expected?.result(known.args)
}
