import type { Entry } from '../entry.ts'
import type { Change, OutboxStore } from '../store/outbox-store.ts'
import type { DrainReport, Locks, Timers } from './replay.ts'

const second = 1000
/** A holder that has not said so for this long is frozen: the lock is taken from it. */
const leaseMs = 30 * second
const heartbeatMs = 5 * second

/** A transaction of whoever holds the lease; undefined, and nothing done, for one who lost it. */
export async function changeAsHolder<T>(
  { store, now }: Pick<AloneTerms, 'store' | 'now'>,
  owner: string,
  lanes: 'all' | readonly string[],
  decide: (entries: readonly Entry[], account: number | null | undefined) => Change<T>,
): Promise<T | undefined> {
  const { result } = await store.change<T | undefined>(lanes, ({ entries, lease, account }) =>
    lease?.owner === owner ? { lease: { ...lease, at: now() }, ...decide(entries, account) } : { result: undefined },
  )
  return result
}

interface AloneTerms {
  readonly store: OutboxStore
  readonly locks: Locks
  readonly timers: Timers
  readonly now: () => number
  /** This holder lost its lease: what it has under way is to be given up. */
  readonly onLost: () => void
}

/**
 * Drains as the only one on this device. Waits in line for a holder that is alive, robs one that is frozen.
 * @param owner a name nobody used before: one that was robbed must not take the next round's lease for its own
 */
export async function drainAlone(
  terms: AloneTerms,
  owner: string,
  drain: (owner: string) => Promise<DrainReport['end']>,
): Promise<DrainReport['end']> {
  const { store, locks, timers, now } = terms
  let outcome: { end: DrainReport['end'] } | { error: unknown } | undefined
  const waiting = new AbortController()
  let hasStarted = false
  let hasEnded = false
  let callOffHeartbeat = () => {}
  let callOffCheck = () => {}
  const beat = () => {
    callOffHeartbeat = timers.after(heartbeatMs, () => {
      changeAsHolder<true>(terms, owner, [], () => ({ result: true })).then(
        (held) => {
          if (hasEnded) return
          if (held) beat()
          else terms.onLost()
        },
        () => hasEnded || beat(),
      )
    })
  }
  const check = () => {
    callOffCheck = timers.after(heartbeatMs, () => {
      store.lease().then((lease) => {
        if (hasStarted) return
        if (lease && Math.abs(now() - lease.at) <= leaseMs) check()
        else waiting.abort()
      }, check)
    })
  }
  const body = async () => {
    hasStarted = true
    callOffCheck()
    beat()
    try {
      outcome = { end: await drain(owner) }
    } catch (error) {
      outcome = { error }
    } finally {
      hasEnded = true
      callOffHeartbeat()
    }
  }
  check()
  try {
    await locks.hold(body, { steal: false, signal: waiting.signal })
  } catch {
    // Either given up in favour of robbing a frozen holder, or robbed itself: then the round ends at its next look at the lease.
    if (!hasStarted) await locks.hold(body, { steal: true, signal: new AbortController().signal }).catch(() => {})
  } finally {
    callOffCheck()
  }
  if (outcome && 'error' in outcome) throw outcome.error
  return outcome?.end ?? 'lost-lock'
}
