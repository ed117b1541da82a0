import type { Entry } from '../queue/entry.ts'
import { lineFor } from './batch.ts'
import { maxCancelBatch } from './cancel.ts'
import type { WakeFlags } from './wake.ts'
import { createEventOrder } from '../queue/mutations/event-order.ts'
import { findKnown } from '../queue/mutations/mutations.ts'
import { isDue, laneOf, step } from '../queue/outbox-machine.ts'

export interface Work {
  /** `cancel` entries are to be forbidden on the server, together. */
  readonly kind: 'send' | 'cancel'
  readonly account: number | null
  /** The changes were made for this organizer; without it they are for the account. */
  readonly organizerId?: number | undefined
  readonly entries: readonly Entry[]
  /** What is sent has about this size. */
  readonly characters: number
  /** It is a picture or as large, which everything else goes before. */
  readonly isHeavy: boolean
}

interface ClaimTerms extends WakeFlags {
  readonly now: number
  /** This is the signed-in account; null means none, and undefined that it is not known yet. */
  readonly account: number | null | undefined
  readonly limit: number
  /** The limit is below what the server accepts as a body. */
  readonly maxCharacters: number
}

function maySend(userId: number | null, account: number | null | undefined): boolean {
  return userId === null || account === undefined || userId === account
}

function awakened(entry: Entry, terms: ClaimTerms): Entry {
  let next: Entry | 'gone' = entry
  if (entry.state === 'held' && isDue(entry, terms.now)) next = step(entry, { type: 'hold-over' })
  else if (entry.state === 'needsAuth' && terms.resumes && maySend(entry.userId, terms.account))
    next = step(entry, { type: 'signed-in' })
  else if (terms.triggered) next = step(entry, { type: 'triggered' })
  return next === 'gone' ? entry : next
}

/** A change of this size is sent alone, and after all others. */
export const heavyCharacters = 20_000

/**
 * Chooses the oldest first: of one account and for one organizer, and of each lane only from its front. Keys to cancel
 * come last, because on a silent network they would delay changes that a person waits for.
 * @param entries the whole queue, by seq
 * @returns the work, and every entry that changed
 */
export function chooseWork(entries: readonly Entry[], terms: ClaimTerms): { work: Work | undefined; changed: Entry[] } {
  const changed: Entry[] = []
  const batch: Entry[] = []
  const closed = new Set<string>()
  const order = createEventOrder()
  let account: number | null | undefined
  let organizerId: number | undefined
  let characters = 0
  const toForbid: Entry[] = []
  let heavy: { readonly entry: Entry; readonly characters: number } | undefined
  for (const stored of entries) {
    if (stored.rehearsal) {
      closed.add(laneOf(stored))
      continue
    }
    const entry = awakened(stored, terms)
    if (entry !== stored) changed.push(entry)
    const known = findKnown(entry)
    const mustWait = known !== undefined && order.mustWait(entry, known)
    if (entry.state === 'acknowledged' || !maySend(entry.userId, terms.account)) continue
    if (entry.discarding) {
      if ((entry.state === 'queued' || entry.state === 'blocked') && isDue(entry, terms.now)) toForbid.push(entry)
      closed.add(laneOf(entry))
      continue
    }
    if (closed.has(laneOf(entry))) continue
    const fits =
      entry.state === 'queued' &&
      isDue(entry, terms.now) &&
      (account === undefined || (account === entry.userId && organizerId === entry.organizerId)) &&
      batch.length < terms.limit
    const line = fits && known && !mustWait ? lineFor(entry) : undefined
    if (line !== undefined && line.length > heavyCharacters) {
      heavy ??= { entry, characters: line.length }
      closed.add(laneOf(entry))
      continue
    }
    if (line === undefined || (batch.length > 0 && characters + line.length > terms.maxCharacters)) {
      closed.add(laneOf(entry))
      continue
    }
    const claimed = step(entry, { type: 'claimed' })
    if (claimed === 'gone') continue
    account = entry.userId
    organizerId = entry.organizerId
    characters += line.length
    batch.push(claimed)
  }
  const alone = account === undefined && heavy ? step(heavy.entry, { type: 'claimed' }) : undefined
  if (heavy && alone !== undefined && alone !== 'gone') {
    account = alone.userId
    organizerId = alone.organizerId
    characters = heavy.characters
    batch.push(alone)
  }
  if (account === undefined) {
    const [first] = toForbid
    if (!first) return { work: undefined, changed }
    const together = toForbid.filter(({ userId }) => userId === first.userId).slice(0, maxCancelBatch)
    return {
      work: { kind: 'cancel', account: first.userId, entries: together, characters: 0, isHeavy: false },
      changed,
    }
  }
  const taken = new Set(batch.map((entry) => entry.seq))
  return {
    work: {
      kind: 'send',
      account,
      organizerId,
      entries: batch,
      characters,
      isHeavy: characters > heavyCharacters && batch.length === 1,
    },
    changed: [...changed.filter((entry) => !taken.has(entry.seq)), ...batch],
  }
}

/**
 * Counts milliseconds until something may be sent automatically; undefined means that nothing waits for time. Entries
 * behind the front of a lane cannot leave before it.
 */
export function shortestWait(
  entries: readonly Entry[],
  now: number,
  account: number | null | undefined,
): number | undefined {
  let shortest: number | undefined
  const fronts = new Set<string>()
  const order = createEventOrder()
  for (const entry of entries) {
    const lane = laneOf(entry)
    const known = findKnown(entry)
    const mustWait = known !== undefined && order.mustWait(entry, known)
    if (entry.state === 'acknowledged' || !maySend(entry.userId, account) || (fronts.has(lane) && !entry.discarding))
      continue
    fronts.add(lane)
    const waits =
      entry.state === 'held' ||
      entry.state === 'queued' ||
      entry.state === 'sending' ||
      (entry.state === 'blocked' && entry.discarding)
    if (!waits || !known || mustWait) continue
    shortest = Math.min(shortest ?? Infinity, isDue(entry, now) ? 0 : entry.nextAt - now)
  }
  return shortest
}
