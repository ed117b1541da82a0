import type { Entry, Receipt, Settled } from '../queue/entry.ts'
import { findKnown } from '../queue/mutations/mutations.ts'
import { advance, withLanes } from '../queue/outbox-machine.ts'
import { maxRemovedAtOnce, type OutboxStore } from '../queue/store/outbox-store.ts'

const hourMs = 3_600_000
/** This counts until a server says how long. */
export const usualKeepHours = 168
/** A device makes fewer in the days that a backup may be old; the oldest go first. */
const maxKept = 5_000

/**
 * Gives what is kept of an acknowledged change once the replica shows it; it is undefined where offering it again would
 * act again outside the database.
 * @param now milliseconds since the epoch
 */
export function keptOf(entry: Entry, now: number): Settled | undefined {
  const known = findKnown(entry)
  if (!known || known.mutation.isNeverOfferedAgain || entry.userId === null) return undefined
  const { seq, key, userId, organizerId, lane, mutation, createdAt, attempts, acknowledged } = entry
  return {
    seq,
    key,
    userId,
    ...(organizerId === undefined ? {} : { organizerId }),
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
 * The one rule after a restore: whatever the server had taken is sent once more, under its own key and in its old
 * position. What it refuses is parked for its person.
 * @param epoch of the server now; undefined: nothing is sure
 * @returns how many are sent once more
 */
export async function offerAgain(store: OutboxStore, userId: number, epoch: string | undefined): Promise<number> {
  const isForgotten = (taken: string | undefined) => epoch === undefined || (taken !== undefined && taken !== epoch)
  const kept = (await store.settled(userId)).filter((one) => isForgotten(one.epoch))
  const { result } = await store.change('all', ({ entries }) => {
    const queued = new Set(entries.map(({ key }) => key))
    const mine = entries.filter((entry) => entry.userId === userId)
    const unsettled = mine.filter(({ acknowledged }) => acknowledged && isForgotten(acknowledged.epoch))
    const taken = [
      ...kept.filter(({ key }) => !queued.has(key)).map(requeued),
      ...advance(unsettled, () => ({ type: 'forgotten' })).map((entry) => ({ ...entry, again: 'taken' as const })),
    ]
    const wentBack = epoch === undefined || taken.length > 0
    const put = withLanes(entries, [...taken, ...(wentBack ? waited(mine) : [])])
    return { put, unkept: kept.map(({ seq }) => seq), result: taken.length }
  })
  return result
}

/** Changes that are not answered yet are sent as they are; a refusal is explained by the restore. */
const waited = (entries: readonly Entry[]) =>
  entries
    .filter(({ again, acknowledged, state }) => !again && !acknowledged && state !== 'parked')
    .map((entry): Entry => ({ ...entry, again: 'waited' }))

function requeued({ settledAt: _settledAt, epoch: _epoch, ...kept }: Settled): Entry {
  // It was in a request: what may have arrived under a key does not change any more.
  return { ...kept, state: 'queued', attempts: Math.max(1, kept.attempts), nextAt: 0, again: 'taken' }
}

/**
 * Removes what was settled so long ago that every backup has it. It is called only when the server has just shown that
 * it went on.
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
  const most = kept.slice(0, Math.max(0, kept.length - maxKept))
  const seqs = [...new Set([...old, ...most].map(({ seq }) => seq))]
  for (let start = 0; start < seqs.length; start += maxRemovedAtOnce) {
    const unkept = seqs.slice(start, start + maxRemovedAtOnce)
    await store.change([], () => ({ unkept, result: undefined }))
  }
  return seqs.length
}

/**
 * As `offerAgain`, for what a visitor's device sent in an ended epoch; the answer's token proves that the server took it.
 * @param keepHours how old a backup may be
 * @param now milliseconds since the epoch by the server's clock
 * @returns how many are sent once more
 */
export async function offerReceiptsAgain(
  store: OutboxStore,
  epoch: string,
  keepHours: number,
  now: number,
): Promise<number> {
  const receipts = (await store.receipts()).filter(
    (receipt) =>
      receipt.epoch !== undefined && receipt.epoch !== epoch && now - Date.parse(receipt.at) < keepHours * hourMs,
  )
  if (receipts.length === 0) return 0
  const { result } = await store.change('all', ({ entries }) => {
    const queued = new Set(entries.map(({ key }) => key))
    const taken = receipts.filter(({ key }) => !queued.has(key)).flatMap((receipt) => entryOf(receipt) ?? [])
    const visitors = entries.filter(({ userId }) => userId === null)
    return {
      put: withLanes(entries, [...taken, ...waited(visitors)]),
      // Each once: a receipt that is offered counts as one of today.
      receipts: receipts.map((receipt) => ({ ...receipt, epoch })),
      result: taken.length,
    }
  })
  return result
}

function entryOf({ seq, key, mutation, args, argsVersion, answer, at }: Receipt): Entry | undefined {
  const known = findKnown({ mutation, args, argsVersion })
  if (!known) return undefined
  return {
    seq,
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
    again: 'taken',
  }
}
