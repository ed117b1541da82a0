import { maxNamed } from '#shared/sync/collections.ts'
import type { Entry, Settled } from '../queue/entry.ts'
import type { Target } from '../queue/mutations/mutation.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { basisIn, rebaseDependents } from '../queue/mutations/entry-basis.ts'
import { keptOf } from './offer-again.ts'
import { step } from '../queue/outbox-machine.ts'
import { maxRemovedAtOnce, type OutboxStore } from '../queue/store/outbox-store.ts'
import type { WakeReason } from './wake.ts'

export interface ReplicaView {
  /** The copy has this organizer's events; without it they are the account's own. */
  readonly organizerId?: number | undefined
  /** The epoch its versions count in; undefined while it holds nothing. */
  readonly epoch: string | undefined
  /** Up to this version the replica has all of the organizer's scope. Too low is harmless, too high is not. */
  readonly appliedVersion: number
  /** Returns undefined when the document is not there. */
  versionOf(collection: 'events' | 'applications', key: string): number | undefined
  /** The pull behind `appliedVersion` asked about these entries. */
  readonly pulledSince?: ReadonlySet<number>
  /** Tells whether the copy has been at this checkpoint. */
  readonly hasPassed?: (checkpoint: string) => boolean
}

/**
 * Whether the replica shows an acknowledged change, or something newer: folding it again would go back in time. A
 * deletion changes more documents than its own: only the whole scope's progress proves it.
 */
export function isCovered(
  entry: Pick<Entry, 'acknowledged'>,
  effect: Target['effect'],
  documentVersion: number | undefined,
  { epoch, appliedVersion }: Pick<ReplicaView, 'epoch' | 'appliedVersion'>,
): boolean {
  const { version, epoch: ownEpoch } = entry.acknowledged ?? {}
  // Versions of different epochs cannot be compared; a server that names none has one only.
  if (ownEpoch !== undefined && ownEpoch !== epoch) return false
  if (version == null) return false
  return (
    appliedVersion >= version || (effect !== 'delete' && documentVersion !== undefined && documentVersion >= version)
  )
}

/**
 * `remove`: the replica has caught up, in a history that contains the acknowledgement. A promoted standby or a restored
 * copy may give out the version again for something else: the copy has been at the very checkpoint, or a pull has named
 * it. `resend`: a pull that began after the acknowledgement saw a server without the version, or another epoch: it was
 * restored, and the same key makes sending again safe.
 */
function settlement(entry: Entry, view: ReplicaView): 'keep' | 'remove' | 'resend' {
  if (entry.state !== 'acknowledged') return 'keep'
  // Nothing here shows it: another organizer's copy is pulled as a whole when it is opened.
  if (entry.organizerId !== view.organizerId) return 'remove'
  const target = targetOf(entry)
  if (!target) return 'remove'
  const documentVersion = view.versionOf(target.collection, target.key)
  const pulledSince = view.pulledSince?.has(entry.seq) ?? false
  const { version, checkpoint } = entry.acknowledged ?? {}
  if (version == null) {
    const isGone = target.effect === 'delete' && documentVersion === undefined
    return pulledSince || isGone ? 'remove' : 'keep'
  }
  if (isCovered(entry, target.effect, documentVersion, view)) {
    const isInHistory = pulledSince || checkpoint === undefined || view.hasPassed?.(checkpoint)
    return isInHistory ? 'remove' : 'keep'
  }
  return pulledSince ? 'resend' : 'keep'
}

/** A pull asks about these. Fewer than there are is harmless. */
export interface AskedAbout {
  readonly seqs: ReadonlySet<number>
  readonly checkpoints: readonly string[]
}

/**
 * @param epoch of the copy; an acknowledgement of another one is known to be lost
 * @param organizerId whose events the copy has; absent: the account's own
 */
export function acknowledgedAmong(
  entries: readonly Entry[],
  userId: number,
  epoch: string | undefined,
  organizerId?: number,
): AskedAbout {
  const mine = entries.filter(
    (entry) => entry.userId === userId && entry.organizerId === organizerId && entry.state === 'acknowledged',
  )
  const nameOf = ({ acknowledged }: Entry) =>
    acknowledged?.epoch === undefined || acknowledged.epoch === epoch ? acknowledged?.checkpoint : undefined
  const checkpoints = [...new Set(mine.flatMap((entry) => nameOf(entry) ?? []))].slice(0, maxNamed)
  const isAsked = (name: string | undefined) => name === undefined || checkpoints.includes(name)
  return { seqs: new Set(mine.filter((entry) => isAsked(nameOf(entry))).map(({ seq }) => seq)), checkpoints }
}

/**
 * Called when documents were written to the replica: removes what it has caught up with, and wakes the queue for what
 * is to be sent again.
 * @param now milliseconds since the epoch
 * @returns how many entries were removed
 */
export async function settle(
  { store, wake }: { readonly store: OutboxStore; readonly wake: (reason: WakeReason) => unknown },
  userId: number,
  view: ReplicaView,
  now: number,
): Promise<number> {
  const candidates = await store.entriesOf(userId)
  if (!candidates.some((entry) => settlement(entry, view) !== 'keep')) return 0
  for (let removed = 0; ;) {
    const { result } = await settleSome(store, userId, view, now)
    removed += result.removed
    if (result.resent > 0) wake('stream-opened')
    if (result.removed < maxRemovedAtOnce) return removed
  }
}

function settleSome(store: OutboxStore, userId: number, view: ReplicaView, now: number) {
  return store.change('all', ({ entries }) => {
    const remove: number[] = []
    const put: Entry[] = []
    const settled: Settled[] = []
    let resent = 0
    for (const entry of entries) {
      if (remove.length === maxRemovedAtOnce) break
      if (entry.userId !== userId) continue
      const fate = settlement(entry, view)
      if (fate === 'remove') {
        remove.push(entry.seq)
        const kept = keptOf(entry, now)
        if (kept) settled.push(kept)
        // It may have changed nothing, and then left another state than its own.
        put.push(...rebaseDependents(entries, entry, basisIn(entry.acknowledged?.body)))
        continue
      }
      const next = fate === 'resend' ? step(entry, { type: 'forgotten' }) : entry
      if (next === entry || next === 'gone') continue
      resent++
      put.push({ ...next, again: 'taken' })
    }
    // What was made on one that goes may go at the same moment.
    const left = put.filter(({ seq }) => !remove.includes(seq))
    return { put: left, remove, settled, result: { removed: remove.length, resent } }
  })
}
