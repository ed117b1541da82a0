import { isDeviceFull } from '../../browser/browser-storage.ts'
import { storageSilence } from '../../browser/page-storage.ts'
import type { Entry } from '../queue/entry.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { actingOrganizer } from '../../browser/acting.ts'
import { newKey } from '../queue/new-key.ts'
import { outbox } from '../queue/outbox.ts'
import { isQuotaError, isStorageError } from '../../browser/storage-errors.ts'
import { dropLeftChanges, keepLeftChange } from './left-changes.ts'
import { pendingEntries } from './pending-entries.ts'

/** No position in the queue is as high. */
const firstSeq = Number.MAX_SAFE_INTEGER - 1_000_000
const tryAgainMs = 3_000
let writes = 0
let readings = 0
let shownUserId: number | null | undefined

/** Written since the newest reading of the queue began: it may lack them. */
let fresh: readonly { readonly entry: Entry; readonly readingsBegun: number }[] = []
/** By the provisional position, also when they are written: a row may show one for a moment longer. */
const underWay = new Map<number, Promise<Entry>>()
/** These were taken back before they were on disk. */
const hidden = new Set<string>()

/** The entries are of every account, in the order in which they were made. */
const none: readonly Entry[] = []
let writing = none
const shownWriting = () => writing.filter(({ userId }) => userId === shownUserId)

function setWriting(next: readonly Entry[]): void {
  writing = next
  pendingEntries.set({ ...pendingEntries.get(), writing: shownWriting() })
}
const without = (seq: number) => writing.filter((one) => one.seq !== seq)

/**
 * Shows the change at once, as `saving`, until it is on disk. For single taps; each call paints. While the storage
 * fails or is silent the change is shown as not saved, kept in memory and localStorage, and written as soon as that is
 * possible.
 * @param key of a change that an earlier page left
 * @returns the entry when it is on disk
 * @throws what is wrong with the change itself; it is then off the screen
 */
export async function enqueueShown<A>(
  mutation: Mutation<A>,
  args: A,
  {
    userId,
    key = newKey(),
    organizerId = userId === null ? undefined : actingOrganizer(),
  }: Pick<Entry, 'userId' | 'organizerId'> & { readonly key?: string },
): Promise<Entry> {
  const sender = { userId, ...(organizerId === undefined ? {} : { organizerId }) }
  writes += 1
  const entry: Entry = {
    seq: firstSeq + writes,
    key,
    ...sender,
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
  const leave = () => {
    if (!hidden.has(key))
      keepLeftChange({ key, ...sender, mutation: entry.mutation, args, argsVersion: entry.argsVersion })
  }
  const noteUnsaved = () => {
    leave()
    setWriting(writing.map((one) => (one.seq === entry.seq ? { ...one, unsaved: true } : one)))
  }
  const noteSilence = () => storageSilence.get() && noteUnsaved()
  const kept = keepTrying(() => outbox.enqueue(mutation, args, { ...sender, key }), noteUnsaved)
  underWay.set(entry.seq, kept)
  setWriting([...writing, entry])
  const stop = storageSilence.subscribe(noteSilence)
  noteSilence()
  globalThis.addEventListener?.('pagehide', leave)
  try {
    const written = await kept
    fresh = [...fresh, { entry: written, readingsBegun: readings }]
    const shown = pendingEntries.get()
    writing = without(entry.seq)
    // Painted together: it is always shown by one of them.
    pendingEntries.set({ ...shown, account: withFresh(shown.account), writing: shownWriting() })
    return written
  } catch (error) {
    setWriting(without(entry.seq))
    throw error
  } finally {
    stop()
    globalThis.removeEventListener?.('pagehide', leave)
    dropLeftChanges([key])
    hidden.delete(key)
  }
}

/** Takes a change that is not saved yet off the screen at once; its caller undoes it when it is written. */
export function hideUnsaved({ seq, key, unsaved }: Entry): void {
  if (!unsaved) return
  hidden.add(key)
  dropLeftChanges([key])
  setWriting(without(seq))
}

/** @throws what is no failure of the storage */
async function keepTrying<T>(write: () => Promise<T>, onFailed: () => void): Promise<T> {
  for (;;) {
    try {
      const written = await write()
      isDeviceFull.set(false)
      return written
    } catch (error) {
      if (!isStorageError(error)) throw error
      if (isQuotaError(error)) isDeviceFull.set(true)
      onFailed()
      await new Promise<void>((resolve) => setTimeout(resolve, tryAgainMs))
    }
  }
}

/** Runs before the queue of another account is read for the first time. */
export function beginPending(userId: number | null): void {
  shownUserId = userId
  const { visitor } = pendingEntries.get()
  pendingEntries.set({ read: false, account: [], visitor, writing: shownWriting() })
}

/** @returns the entry on disk @throws what the disk said */
export function whenWritten(entry: Entry): Promise<Entry> {
  return underWay.get(entry.seq) ?? Promise.resolve(entry)
}

/**
 * Takes a change back, and first those of its lane that were made on it. It leaves the queue when it was never sent,
 * else it is cancelled on the server.
 * @param about the changes of the same row
 * @returns `unknown`: the server will be asked later
 */
export async function takeBack(shown: Entry, about: readonly Entry[]): Promise<'undone' | 'unknown' | 'too-late'> {
  hideUnsaved(shown)
  const change = await whenWritten(shown)
  const written = await Promise.all(about.map(whenWritten))
  const onTop = written.filter(({ lane, seq }) => lane === change.lane && seq > change.seq)
  for (const { seq } of onTop.toReversed()) await outbox.discard(seq)
  if ((await outbox.undo(change.seq)) === 'undone') return 'undone'
  const outcome = await outbox.discard(change.seq)
  if (outcome === 'unknown') return 'unknown'
  return outcome === 'already-happened' ? 'too-late' : 'undone'
}

/**
 * Runs before the queue is read.
 * @returns the reading's number, for `showReading`
 */
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
    writing: asShown(shown.writing ?? none, shownWriting()),
  }
  if (
    !shown.read ||
    next.account !== shown.account ||
    next.visitor !== shown.visitor ||
    next.writing !== (shown.writing ?? none)
  )
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
