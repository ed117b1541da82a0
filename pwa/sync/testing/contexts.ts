import type { Timers } from '../drain/wake.ts'
import { createLeader, type Leader } from '../leader.ts'
import { asLocks, createLock } from './lock.ts'
import { deliver, type Life } from './simulation/sim-stage.ts'

/** A page or a worker of a device, as far as it may lead. */
export interface Context extends Life {
  readonly timers: Timers
  readonly leader: Leader
  die(): void
}

export type Contexts = ReturnType<typeof createContexts>

/** The pages and the worker of one device, which share a lock and hear each other a moment later. */
export function createContexts(clock: Timers, { hasLocks = true } = {}) {
  const lock = createLock<Context>(deliver)
  const all = new Set<Context>()
  return {
    open(isVisible: () => boolean = () => true): Context {
      const timers: Timers = { after: (milliseconds, run) => clock.after(milliseconds, () => deliver(context, run)) }
      const leader = createLeader({
        locks: hasLocks ? asLocks((body, options) => lock.hold(context, body, options)) : undefined,
        timers,
        tell(message) {
          for (const other of all)
            if (other !== context) clock.after(1, () => deliver(other, () => other.leader.hear(message)))
        },
        isVisible,
      })
      const context: Context = {
        isAlive: true,
        isFrozen: false,
        waiting: [],
        timers,
        leader,
        die() {
          context.isAlive = false
          lock.letGo(context)
        },
      }
      all.add(context)
      return context
    },
  }
}
