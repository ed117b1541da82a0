import type { Timers } from './wake.ts'

/** `hold` waits in line; with `steal` it takes the lock from its holder. */
export interface Locks {
  hold(body: () => Promise<void>, options: { readonly steal: boolean; readonly signal: AbortSignal }): Promise<void>
}

/**
 * The browser releases the lock when its holder dies. Without Web Locks every context leads: the lease keeps two from
 * sending at once, and keys keep what is sent twice from happening twice.
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

/** Steals the lock from a frozen leader, which would hold it forever. */
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
