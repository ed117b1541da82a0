import type { Entry } from '../queue/entry.ts'
import type { Change, OutboxStore } from '../queue/store/outbox-store.ts'
import type { DrainReport, Timers } from './wake.ts'

/** A leader that has not renewed its lease for this long is frozen. */
const leaseMs = 30_000
const heartbeatMs = 5_000

/** Also renews the lease; undefined, and nothing done, where it was lost. */
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
 * `drain` takes the lease first: it proves the leadership in every transaction and shows the waiting contexts that the
 * leader is alive.
 * @param owner never used before, so that a leader whose lock was stolen does not mistake a later round's lease for its
 * own
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

/** `hold` waits in line; with `steal` it takes the lock from its holder. */
export interface Locks {
  hold(body: () => Promise<void>, options: { readonly steal: boolean; readonly signal: AbortSignal }): Promise<void>
}

/**
 * The browser releases the lock when its holder dies. Without Web Locks every context leads: the drain's lease then keeps
 * two from sending at once, and keys keep what is sent twice from happening twice.
 */
export function webLocks(
  name: string,
  manager: Pick<LockManager, 'request'> | undefined = (
    globalThis as { readonly navigator?: { readonly locks?: LockManager } }
  ).navigator?.locks,
): Locks {
  return {
    async hold(body, { steal, signal }) {
      if (!manager) return await body()
      await manager.request(name, steal ? { steal } : { signal }, body)
    },
  }
}

interface ElectionTerms {
  readonly locks: Locks
  readonly timers: Timers
  /** Asked every 5 s while waiting; a rejection counts as alive. */
  readonly isLeaderAlive: () => Promise<boolean>
  /** Must not reject. It is not interrupted when the lock is stolen. */
  readonly lead: () => Promise<void>
}

export interface Candidacy {
  /** The leadership is over: ended by itself, stolen, or never obtained. */
  readonly ended: Promise<void>
  takeOver(): void
  withdraw(): void
}

const checkEveryMs = 5_000

/** Waits in line while the leader is alive, and steals the lock from a frozen one, which would hold it forever. */
export function standForElection({ locks, timers, isLeaderAlive, lead }: ElectionTerms): Candidacy {
  const waiting = new AbortController()
  let hasStarted = false
  let isWithdrawn = false
  let cancelCheck = () => {}

  function check(): void {
    cancelCheck = timers.after(checkEveryMs, () => {
      isLeaderAlive().then((isAlive) => {
        if (hasStarted || isWithdrawn) return
        if (isAlive) check()
        else waiting.abort()
      }, check)
    })
  }

  async function leadOnce(): Promise<void> {
    hasStarted = true
    cancelCheck()
    await lead()
  }

  async function run(): Promise<void> {
    check()
    try {
      await locks.hold(leadOnce, { steal: false, signal: waiting.signal })
    } catch {
      // The wait was aborted, or the lock was stolen from this leader, which finds out by itself.
      if (hasStarted || isWithdrawn) return
      await locks.hold(leadOnce, { steal: true, signal: new AbortController().signal }).catch(() => {})
    } finally {
      cancelCheck()
    }
  }

  return {
    ended: run(),
    takeOver: () => waiting.abort(),
    withdraw() {
      isWithdrawn = true
      waiting.abort()
    },
  }
}
