import type { Problem } from '#shared/contract/problem.ts'
import type { Entry, Intention } from '../entry.ts'
import { laneOf, step } from '../outbox-machine.ts'
import type { Mutation } from './mutation.ts'
import { findKnown, type Known } from './mutations.ts'

/**
 * Whether the screen shows a change as done, so that the next one was made on top of it. Of a refused change, and of a discarded
 * one that may have left, the row shows the server's state.
 */
export const isShownAsDone = (entry: Entry) =>
  entry.state !== 'parked' && entry.state !== 'blocked' && !entry.discarding

/**
 * Reads the changes of a queue in their order, each with the count (edition, decision number) it is made on. A change that names
 * the one before it (`after`) is made on that one's result, which is counted here, or, where that one has left the queue, on the
 * count it was queued with. A change that turned out to be done already counts nothing: the acknowledged count is then below the
 * predicted result. A higher one was made by another device.
 */
export function readInOrder(): (entry: Entry) => Known | undefined {
  const counts = new Map<string, number>()
  return (entry) => {
    const known = findKnown(entry)
    const expected = known?.mutation.expected
    if (!known || !expected) return known
    const before = entry.after === undefined ? undefined : counts.get(entry.after)
    let args = before === undefined ? known.args : expected.with(known.args, before)
    const answered = entry.acknowledged && expected.current(entry.acknowledged.body)
    const madeOn = expected.of(args)
    const result = expected.result(args)
    if (answered !== undefined && madeOn !== undefined && result !== undefined && answered < result)
      args = expected.with(args, madeOn + answered - result)
    const cameTo = expected.result(args)
    if (cameTo !== undefined) counts.set(entry.key, cameTo)
    return args === known.args ? known : { ...known, args }
  }
}

/**
 * A change that is queued behind others of its lane was made on what the screen showed: their result. It names the last of
 * them by its key, and the server finds out what that one came to. Two taps faster than the screen still follow each other.
 * @param lane the lane's entries, by seq
 * @returns the arguments with the count it is expected to meet, for the screen and for a server that has forgotten that key
 */
export function madeOnLane<A>(mutation: Mutation<A>, args: A, lane: readonly Entry[]): { args: A; after?: string } {
  const given = mutation.expected?.of(args)
  if (!mutation.expected || given === undefined) return { args }
  const read = readInOrder()
  let before: { key: string; result: number } | undefined
  for (const entry of lane) {
    const known = read(entry)
    // A change without a count, such as "here today", does not matter here.
    const result = known?.mutation.expected?.result(known.args)
    if (result !== undefined && isShownAsDone(entry)) before = { key: entry.key, result }
  }
  // Made on more than that one's result, it was made on what the server said since: it counts on that alone.
  if (!before || given > before.result) return { args }
  return { args: mutation.expected.with(args, before.result), after: before.key }
}

const followersOf = (entries: readonly Entry[], { key, lane, userId }: Entry) =>
  entries.filter((entry) => entry.after === key && laneOf(entry) === laneOf({ lane, userId }))

/** A change goes out under another key: those made on its result name that one. @returns the entries that changed */
export function followingKey(entries: readonly Entry[], former: Entry, key: string): Entry[] {
  if (former.key === key) return []
  return followersOf(entries, former).map((entry) => ({ ...entry, after: key }))
}

/**
 * A change leaves the queue without having happened: those made on its result are made on what it was made on. None of them
 * has run, for a lane stops at what did not happen. @returns the entries that changed
 */
export function followingGone(entries: readonly Entry[], gone: Entry): Entry[] {
  const origin = findKnown(gone)
  const madeOn = origin?.mutation.expected?.of(origin.args)
  return followersOf(entries, gone).map((entry) => {
    const { after: _gone, ...rest } = entry
    return { ...rest, ...(gone.after === undefined ? {} : { after: gone.after }), ...expecting(entry, madeOn) }
  })
}

/** The arguments of a change as they expect a count; nothing where it counts nothing. */
function expecting(entry: Entry, count: number | undefined): { args?: unknown; argsVersion?: number } {
  const known = count === undefined ? undefined : findKnown(entry)
  if (!known?.mutation.expected) return {}
  return { args: known.mutation.expected.with(known.args, count as number), argsVersion: known.mutation.argsVersion }
}

/**
 * The queue with each change expecting what the one before it came to: to be kept when some of them leave the queue, after
 * which nobody can count from the first one on. @param entries the whole queue, by seq
 */
export function countedInOrder(entries: readonly Entry[]): Entry[] {
  const read = readInOrder()
  return entries.map((entry) => {
    const known = read(entry)
    const before = entry.after === undefined ? undefined : findKnown(entry)
    const expected = known?.mutation.expected
    if (!known || !before || expected?.of(before.args) === expected?.of(known.args)) return entry
    return { ...entry, args: known.args, argsVersion: known.mutation.argsVersion }
  })
}

/** A refused change as it is made on what the server has now: on a count of its own, and behind no other change. */
export function madeOnServer(entry: Entry, count: number, key: string): Entry {
  const known = findKnown(entry)
  const args = known?.mutation.expected?.with(known.args, count)
  if (!known || args === undefined) return entry
  const next = step(entry, { type: 'retried', key, args, argsVersion: known.mutation.argsVersion })
  if (next === 'gone') return entry
  const { after: _after, ...rest } = next
  return rest
}

/**
 * Of changes that are offered again and were just refused: those for which a server that went back has a lower count. They are
 * made on that count, under the same key, since it was not changed in the meantime. @returns the entries that changed
 */
export function madeOnWhatWentBack(changed: readonly Entry[]): Entry[] {
  return changed.flatMap((entry) => {
    const behind = entry.again && entry.refusal && countBehind(entry, entry.refusal.problem)
    return behind === undefined ? [] : [madeOnServer(entry, behind, entry.key)]
  })
}

/**
 * The count the server's document has, where a conflict shows one from before the one the change was made on: that of a server
 * that went back.
 */
export function countBehind(entry: Intention, problem: Problem): number | undefined {
  if (problem.code !== 'conflict') return undefined
  const known = findKnown(entry)
  const expected = known?.mutation.expected?.of(known.args)
  const count = known?.mutation.expected?.current(problem.current)
  return expected !== undefined && count !== undefined && count < expected ? count : undefined
}

/**
 * The queue as an earlier version of this app left it, in today's form: it named the change before by its place in the queue,
 * and noted beside a change that had been sent on a count that turned out wrong what the right one was.
 * @param entries the whole queue @returns the entries that changed
 */
export function broughtUpToDate(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    const { basedOn, madeOn, ...rest } = entry as Entry & { readonly basedOn?: number; readonly madeOn?: number }
    if (basedOn === undefined && madeOn === undefined) return []
    const before = entries.find(({ seq, lane }) => seq === basedOn && lane === entry.lane)
    const after = before && entry.after === undefined ? { after: before.key } : {}
    return [{ ...rest, ...after, ...expecting(entry, madeOn) }]
  })
}
