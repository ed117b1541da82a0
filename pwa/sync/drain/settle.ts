import type { Entry, Settled } from '../queue/entry.ts'
import type { Target } from '../queue/mutations/mutation.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { basisIn, madeInsteadOn } from '../queue/mutations/entry-basis.ts'
import { keptOf } from './offer-again.ts'
import { step } from '../queue/outbox-machine.ts'
import type { OutboxStore } from '../queue/store/outbox-store.ts'
import type { WakeReason } from './wake.ts'

export interface ReplicaView {
  /** The epoch its versions count in; undefined while it holds nothing. */
  readonly epoch: string | undefined
  /** Up to this version the replica has all of the organizer's scope. Too low is harmless, too high is not. */
  readonly appliedVersion: number
  /** Undefined when the document is not there. */
  versionOf(collection: 'events' | 'applications', key: string): number | undefined
  /** Entries acknowledged before the pull behind `appliedVersion` began. */
  readonly pulledSince?: ReadonlySet<number>
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
 * `remove`: the replica has caught up. `resend`: a pull that began after the acknowledgement saw a server without the
 * version, or another epoch: it was restored, and the same key makes sending again safe.
 */
function settlement(entry: Entry, view: ReplicaView): 'keep' | 'remove' | 'resend' {
  if (entry.state !== 'acknowledged') return 'keep'
  const target = targetOf(entry)
  if (!target) return 'remove'
  const documentVersion = view.versionOf(target.collection, target.key)
  const pulledSince = view.pulledSince?.has(entry.seq) ?? false
  const version = entry.acknowledged?.version
  if (version == null) {
    const isGone = target.effect === 'delete' && documentVersion === undefined
    return pulledSince || isGone ? 'remove' : 'keep'
  }
  if (isCovered(entry, target.effect, documentVersion, view)) return 'remove'
  return pulledSince ? 'resend' : 'keep'
}

/** Before a pull begins; fewer than there are is harmless. */
export function acknowledgedAmong(entries: readonly Entry[], userId: number): ReadonlySet<number> {
  const isMine = (entry: Entry) => entry.userId === userId && entry.state === 'acknowledged'
  return new Set(entries.filter(isMine).map((entry) => entry.seq))
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
  const { result } = await store.change('all', ({ entries }) => {
    const remove: number[] = []
    const put: Entry[] = []
    const settled: Settled[] = []
    let resent = 0
    for (const entry of entries) {
      if (entry.userId !== userId) continue
      const fate = settlement(entry, view)
      if (fate === 'remove') {
        remove.push(entry.seq)
        const kept = keptOf(entry, now)
        if (kept) settled.push(kept)
        // It may have changed nothing, and then left another state than its own.
        put.push(...madeInsteadOn(entries, entry, basisIn(entry.acknowledged?.body)))
        continue
      }
      const next = fate === 'resend' ? step(entry, { type: 'forgotten' }) : entry
      if (next === entry || next === 'gone') continue
      resent++
      put.push({ ...next, again: { since: now } })
    }
    // What was made on one that goes may go at the same moment.
    const left = put.filter(({ seq }) => !remove.includes(seq))
    return { put: left, remove, settled, result: { removed: remove.length, resent } }
  })
  if (result.resent > 0) wake('stream-opened')
  return result.removed
}
