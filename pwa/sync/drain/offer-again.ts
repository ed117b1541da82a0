import type { Entry, NewEntry, Receipt, Settled } from '../queue/entry.ts'
import { findKnown } from '../queue/mutations/mutations.ts'
import { advance, laneOf, withLanes } from '../queue/outbox-machine.ts'
import type { OutboxStore } from '../queue/store/outbox-store.ts'

const hourMs = 3_600_000
/** Until a server says for how long. */
export const usualKeepHours = 168
/** More than a device makes in the days that a backup may be old; the oldest go first. */
const mostKept = 5_000

/**
 * Of an acknowledged change once the replica shows it; undefined where offering it again would act again outside the
 * database.
 * @param now milliseconds since the epoch
 */
export function keptOf(entry: Entry, now: number): Settled | undefined {
  const known = findKnown(entry)
  if (!known || known.mutation.isNeverOfferedAgain || entry.userId === null) return undefined
  const { seq, key, userId, lane, mutation, createdAt, attempts, acknowledged } = entry
  return {
    seq,
    key,
    userId,
    lane,
    mutation,
    args: known.args,
    argsVersion: known.mutation.argsVersion,
    createdAt,
    attempts,
    epoch: acknowledged?.epoch,
    settledAt: now,
  }
}

/**
 * Queues again, under their own keys and in their old positions, an account's changes that a server which went back may
 * have lost. Waiting ones may be about something another device brings back: they get the same patience.
 * @param epoch of the server now; undefined: nothing is sure
 * @param queueNow milliseconds since the epoch by the device's clock
 * @returns how many are offered again
 */
export async function offerAgain(
  store: OutboxStore,
  userId: number,
  epoch: string | undefined,
  queueNow: number,
): Promise<number> {
  const isForgotten = (taken: string | undefined) => epoch === undefined || (taken !== undefined && taken !== epoch)
  const kept = (await store.settled(userId)).filter((one) => isForgotten(one.epoch))
  const { result } = await store.change('all', ({ entries }) => {
    const queued = new Set(entries.map(({ key }) => key))
    const again = { since: queueNow }
    const offered = kept.filter(({ key }) => !queued.has(key)).map((one): Entry => requeued(one, again))
    const mine = entries.filter((entry) => entry.userId === userId && isForgotten(entry.acknowledged?.epoch))
    const forgotten = advance(mine, () => ({ type: 'forgotten' })).map((entry) => ({ ...entry, again }))
    const known = [...offered, ...forgotten]
    const isSure = epoch !== undefined && known.length === 0
    const others = isSure ? [] : entries.filter((entry) => entry.userId === userId)
    const changed = [...known, ...others.flatMap((entry) => triedAnew(entry, again))]
    return {
      put: withLanes(entries, [...changed, ...others.flatMap((entry) => patient(entry, again))]),
      unkept: kept.map(({ seq }) => seq),
      result: changed.length,
    }
  })
  return result
}

/** The server tells an unknown basis from a conflict only in changes sent after a restore. */
const mayBeMended: ReadonlySet<string> = new Set(['not_found', 'conflict', 'unknown_basis'])

function triedAnew(entry: Entry, again: { since: number }): Entry[] {
  const { key, args, argsVersion, refusal } = entry
  if (entry.again || !refusal) return []
  if (!mayBeMended.has(refusal.problem.code)) return []
  const attempts = Math.max(1, entry.attempts)
  return advance([entry], () => ({ type: 'retried', key, args, argsVersion })).map((one) => ({
    ...one,
    attempts,
    again,
  }))
}

function patient(entry: Entry, { since }: { since: number }): Entry[] {
  if (entry.again || entry.discarding || entry.state === 'acknowledged' || entry.state === 'parked') return []
  return [{ ...entry, again: { since, isNew: true } }]
}

/**
 * Gives visitors' changes, which may be about what others bring back, the same patience, and tries refused ones anew.
 * @param queueNow milliseconds since the epoch by the device's clock
 * @returns how many are tried anew
 */
export async function retryVisitorEntriesAfterRestore(store: OutboxStore, queueNow: number): Promise<number> {
  const again = { since: queueNow }
  const { result } = await store.change('all', ({ entries }) => {
    const visitors = entries.filter(({ userId }) => userId === null)
    const changed = visitors.flatMap((entry) => triedAnew(entry, again))
    const put = withLanes(entries, [...changed, ...visitors.flatMap((entry) => patient(entry, again))])
    return { put, result: changed.length }
  })
  return result
}

function requeued({ settledAt: _settledAt, epoch: _epoch, ...kept }: Settled, again: { since: number }): Entry {
  // It was in a request: what may have arrived under a key does not change any more.
  return { ...kept, state: 'queued', attempts: Math.max(1, kept.attempts), nextAt: 0, again }
}

/**
 * Removes what was settled so long ago that every backup has it. Called only when the server has just shown that it
 * went on.
 * @param now milliseconds since the epoch
 * @returns how many were removed
 */
export async function pruneSettled(
  store: OutboxStore,
  userId: number,
  keepHours: number,
  now: number,
): Promise<number> {
  const kept = await store.settled(userId)
  const old = kept.filter((one) => now - one.settledAt > keepHours * hourMs)
  const most = kept.slice(0, Math.max(0, kept.length - mostKept))
  const seqs = [...new Set([...old, ...most].map(({ seq }) => seq))]
  if (seqs.length > 0) await store.change([], () => ({ unkept: seqs, result: undefined }))
  return seqs.length
}

/**
 * Queues again what a visitor's device sent in an ended epoch, with the answer's token, which proves that the server
 * took it.
 * @param keepHours how old a backup may be
 * @param now milliseconds since the epoch by the server's clock; `queueNow` by the device's
 * @returns how many
 */
export async function offerReceiptsAgain(
  store: OutboxStore,
  epoch: string,
  keepHours: number,
  now: number,
  queueNow: number,
): Promise<number> {
  const receipts = (await store.receipts()).filter(
    (receipt) =>
      receipt.epoch !== undefined && receipt.epoch !== epoch && now - Date.parse(receipt.at) < keepHours * hourMs,
  )
  if (receipts.length === 0) return 0
  const { result } = await store.change('all', ({ entries }) => {
    const queued = new Set(entries.map(({ key }) => key))
    // Behind a refused change of its lane it is blocked.
    const stopped = new Set(entries.filter(({ state }) => state === 'parked').map(laneOf))
    const add = receipts
      .filter(({ key }) => !queued.has(key))
      .sort((one, other) => (one.at < other.at ? -1 : 1))
      .flatMap((receipt) => offeredOf(receipt, queueNow) ?? [])
      .map((offered): NewEntry => (stopped.has(laneOf(offered)) ? { ...offered, state: 'blocked' } : offered))
    // Each once: a receipt that is offered counts as one of today.
    return { add, receipts: receipts.map((receipt) => ({ ...receipt, epoch })), result: add.length }
  })
  return result
}

function offeredOf(
  { key, mutation, args, argsVersion = 1, answer, at }: Receipt,
  queueNow: number,
): NewEntry | undefined {
  const known = findKnown({ mutation, args, argsVersion })
  if (!known) return undefined
  return {
    key,
    userId: null,
    lane: known.mutation.lane(known.args),
    mutation,
    args: known.mutation.withAnswer?.(known.args, answer) ?? known.args,
    argsVersion: known.mutation.argsVersion,
    createdAt: at,
    state: 'queued',
    attempts: 1,
    nextAt: 0,
    again: { since: queueNow },
  }
}
