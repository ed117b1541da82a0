import type { Problem } from '#shared/contract/problem.ts'
import type { Entry } from '../entry.ts'
import type { Mutation } from './mutation.ts'
import { findKnown, type Known } from './mutations.ts'
import { laneOf, step } from '../outbox-machine.ts'

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
  const result = predecessor && resultOf(predecessor)
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

/**
 * A queued change with its arguments as they turned out. What was already so when the server came to it counts nothing:
 * its answer names a lower number than the change was to come to. A higher one is somebody else's doing.
 */
export function knownAsAnswered(
  entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion' | 'acknowledged'>,
): Known | undefined {
  const known = findKnown(entry)
  const expected = known?.mutation.expected
  const answered = entry.acknowledged && expected?.current(entry.acknowledged.body)
  if (!known || !expected || answered === undefined) return known
  const madeOn = expected.of(known.args)
  const counted = expected.result(known.args)
  if (madeOn === undefined || counted === undefined || answered >= counted) return known
  return { ...known, args: expected.with(known.args, madeOn + answered - counted) }
}

/** What an entry's result is counted as, or was; undefined for changes without a count. */
export function resultOf(entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion' | 'acknowledged'>): number | undefined {
  const known = knownAsAnswered(entry)
  return known?.mutation.expected?.result(known.args)
}

/** The entry made on another count, under a key nobody saw, and what its followers count on then. */
export function madeAnew(entries: readonly Entry[], entry: Entry, count: number, key: string): Entry[] {
  const known = findKnown(entry)
  const expected = known?.mutation.expected
  const before = known && expected?.of(known.args)
  if (!known || !expected || before === undefined) return []
  const args = expected.with(known.args, count)
  const { argsVersion } = known.mutation
  const next = step(
    entry,
    entry.attempts === 0 ? { type: 'edited', args, argsVersion } : { type: 'retried', key, args, argsVersion },
  )
  if (next === 'gone') return []
  return [next, ...shiftFollowers(entries, entry, { seq: entry.seq, delta: count - before })]
}

/**
 * Lets those behind an answered change count on what it really came to. One that was never in a request is changed. One
 * that was may have arrived as it is: refused for the wrong count alone it is sent anew, which the refusal makes safe; with
 * its answer missing it is forbidden first (see `mustBeForbidden`).
 * @param entries whole lanes, by seq
 * @param changed those of them that were answered just now, by seq
 * @returns the entries that changed
 */
export function followAnswers(entries: readonly Entry[], changed: readonly Entry[], newKey: () => string): Entry[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  const recounted = new Map<number, Entry>()
  const keep = (some: readonly Entry[]) => {
    for (const entry of some) {
      bySeq.set(entry.seq, entry)
      recounted.set(entry.seq, entry)
    }
  }
  for (const { seq } of changed) {
    const entry = bySeq.get(seq)
    if (!entry) continue
    if (entry.state === 'acknowledged') {
      const { mutation, args, argsVersion } = entry
      const result = resultOf(entry)
      if (result === undefined || result === resultOf({ mutation, args, argsVersion })) continue
      for (const follower of bySeq.values()) {
        if (follower.basedOn !== seq || laneOf(follower) !== laneOf(entry) || follower.state === 'acknowledged')
          continue
        if (follower.attempts === 0) keep(madeAnew([...bySeq.values()], follower, result, follower.key))
        else keep([{ ...follower, madeOn: result }])
      }
      continue
    }
    if (isRefusedForCountAlone(entry)) keep(madeAnew([...bySeq.values()], entry, entry.madeOn, newKey()))
    const behind = entry.again && entry.refusal && countBehind(entry, entry.refusal.problem)
    // Nobody decided anything since the moment the server went back to: what this device had come to is put on top of that.
    if (behind !== undefined) keep(madeAnew([...bySeq.values()], entry, behind, entry.key))
  }
  return [...recounted.values()]
}

/**
 * The count the server's document has, where a conflict shows one from before the one the change was made on: that of a server
 * that went back.
 */
export function countBehind(
  entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion'>,
  problem: Problem,
): number | undefined {
  if (problem.code !== 'conflict') return undefined
  const known = findKnown(entry)
  const expected = known?.mutation.expected?.of(known.args)
  const count = known?.mutation.expected?.current(problem.current)
  return expected !== undefined && count !== undefined && count < expected ? count : undefined
}

/** The server stands exactly where the one before it left it: nobody decided in between. */
function isRefusedForCountAlone(entry: Entry): entry is Entry & { readonly madeOn: number } {
  const { refusal, madeOn } = entry
  if (entry.state !== 'parked' || madeOn === undefined || refusal?.problem.code !== 'conflict') return false
  return findKnown(entry)?.mutation.expected?.current(refusal.problem.current) === madeOn
}
