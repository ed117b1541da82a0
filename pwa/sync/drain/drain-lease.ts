import type { Entry } from '../queue/entry.ts'
import type { Change, OutboxStore } from '../queue/store/outbox-store.ts'
import { standForElection, type Locks } from './election.ts'
import type { DrainReport, Timers } from './wake.ts'

/** A leader that has not renewed its lease for this long is frozen. */
const leaseMs = 30_000
const heartbeatMs = 5_000

/** Also renews the lease; undefined, and nothing done, when it was lost. */
export async function changeUnderLease<T>(
  { store, now }: Pick<LeaseTerms, 'store' | 'now'>,
  owner: string,
  lanes: 'all' | readonly string[],
  decide: (entries: readonly Entry[], account: number | null | undefined) => Change<T>,
): Promise<T | undefined> {
  const { result } = await store.change<T | undefined>(lanes, ({ entries, lease, account }) =>
    lease?.owner === owner ? { lease: { ...lease, at: now() }, ...decide(entries, account) } : { result: undefined },
  )
  return result
}

interface LeaseTerms {
  readonly store: OutboxStore
  readonly locks: Locks
  readonly timers: Timers
  readonly now: () => number
  readonly onLost: () => void
}

function startHeartbeat(terms: LeaseTerms, owner: string): () => void {
  let hasEnded = false
  let cancel = () => {}
  const beat = () => {
    cancel = terms.timers.after(heartbeatMs, () => {
      changeUnderLease<true>(terms, owner, [], () => ({ result: true })).then(
        (isHeld) => {
          if (hasEnded) return
          if (isHeld) beat()
          else terms.onLost()
        },
        () => hasEnded || beat(),
      )
    })
  }
  beat()
  return () => {
    hasEnded = true
    cancel()
  }
}

/**
 * `drain` takes the lease first: it proves the leadership in every transaction.
 * @param owner never used before, so that a robbed leader does not take a later lease for its own
 * @throws what `drain` throws
 */
export async function drainAsLeader(
  terms: LeaseTerms,
  owner: string,
  drain: (owner: string) => Promise<DrainReport['end']>,
): Promise<DrainReport['end']> {
  const { store, locks, timers, now } = terms
  let outcome: { end: DrainReport['end'] } | { error: unknown } | undefined
  await standForElection({
    locks,
    timers,
    async isLeaderAlive() {
      const lease = await store.lease()
      return lease !== undefined && Math.abs(now() - lease.at) <= leaseMs
    },
    async lead() {
      const endHeartbeat = startHeartbeat(terms, owner)
      try {
        outcome = { end: await drain(owner) }
      } catch (error) {
        outcome = { error }
      } finally {
        endHeartbeat()
      }
    },
  }).ended
  if (outcome && 'error' in outcome) throw outcome.error
  return outcome?.end ?? 'lost-lock'
}
