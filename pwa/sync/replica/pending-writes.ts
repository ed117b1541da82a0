import type { Entry } from '../queue/entry.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { outbox } from '../queue/outbox.ts'
import { pendingEntries } from './pending-entries.ts'

/** Above any position in the queue. */
const firstSeq = Number.MAX_SAFE_INTEGER - 1_000_000
let writes = 0
let readings = 0
let shownUserId: number | null | undefined

/** Written since the newest reading of the queue began: it may lack them. */
let fresh: readonly { readonly entry: Entry; readonly readingsBegun: number }[] = []
const underWay = new WeakMap<Entry, Promise<Entry>>()

/**
 * Shows the change at once, as `saving`, until it is on disk. For single taps; each call paints.
 * @returns the entry when it is on disk
 * @throws what the disk said; the change is then off the screen
 */
export async function enqueueShown<A>(
  mutation: Mutation<A>,
  args: A,
  { userId }: { readonly userId: number | null },
): Promise<Entry> {
  writes += 1
  const entry: Entry = {
    seq: firstSeq + writes,
    key: `writing-${writes}`,
    userId,
    lane: mutation.lane(args),
    mutation: mutation.name,
    args,
    argsVersion: mutation.argsVersion,
    createdAt: new Date().toISOString(),
    state: mutation.holdMs > 0 ? 'held' : 'queued',
    attempts: 0,
    nextAt: 0,
    writing: true,
  }
  const kept = outbox.enqueue(mutation, args, { userId })
  underWay.set(entry, kept)
  if (userId === shownUserId) {
    const before = pendingEntries.get()
    pendingEntries.set({ ...before, writing: [...(before.writing ?? []), entry] })
  }
  try {
    const written = await kept
    fresh = [...fresh, { entry: written, readingsBegun: readings }]
    const shown = pendingEntries.get()
    // Painted together: it is always shown by one of them.
    pendingEntries.set({ ...shown, account: withFresh(shown.account), writing: without(shown.writing, entry) })
    return written
  } catch (error) {
    const shown = pendingEntries.get()
    pendingEntries.set({ ...shown, writing: without(shown.writing, entry) })
    throw error
  }
}

/** @returns the entry on disk @throws what the disk said */
export function whenWritten(entry: Entry): Promise<Entry> {
  return underWay.get(entry) ?? Promise.resolve(entry)
}

/** Called before the queue is read. @returns the reading's number, for `showReading` */
export function beginReading(): number {
  readings += 1
  return readings
}

/** @param userId whose queue `account` is */
export function showReading(
  reading: number,
  userId: number | null,
  { account, visitor }: { readonly account: readonly Entry[]; readonly visitor: readonly Entry[] },
): void {
  shownUserId = userId
  fresh = fresh.filter(({ readingsBegun }) => readingsBegun >= reading)
  const shown = pendingEntries.get()
  const next = {
    read: true,
    account: asShown(shown.account, withFresh(account)),
    visitor: asShown(shown.visitor, visitor),
    writing:
      shown.writing &&
      asShown(
        shown.writing,
        shown.writing.filter((entry) => entry.userId === userId),
      ),
  }
  if (!shown.read || next.account !== shown.account || next.visitor !== shown.visitor || next.writing !== shown.writing)
    pendingEntries.set(next)
}

/** What is unchanged keeps its identity, and is not drawn again. */
function asShown(shown: readonly Entry[], read: readonly Entry[]): readonly Entry[] {
  const known = new Map(shown.map((entry) => [entry.seq, entry]))
  const next = read.map((entry) => {
    const before = known.get(entry.seq)
    return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry
  })
  return next.length === shown.length && next.every((entry, index) => entry === shown[index]) ? shown : next
}

function withFresh(account: readonly Entry[]): readonly Entry[] {
  if (fresh.length === 0) return account
  const here = new Set(account.map(({ seq }) => seq))
  const missing = fresh.flatMap(({ entry }) => (entry.userId === shownUserId && !here.has(entry.seq) ? [entry] : []))
  if (missing.length === 0) return account
  return [...account, ...missing].sort((one, other) => one.seq - other.seq)
}

const without = (entries: readonly Entry[] | undefined, gone: Entry) => entries?.filter((entry) => entry !== gone)
