import type { Timers } from '../drain/wake.ts'

/** A clock that moves when told to, with its timers. */
export interface ManualTime {
  readonly now: () => number
  readonly timers: Timers
  /** Moves on and runs what came due, in order; what they start is awaited between the steps. */
  pass(milliseconds: number): Promise<void>
  /** Moves on while the device sleeps: whatever came due runs late, the next time that time passes. */
  sleep(milliseconds: number): void
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets everything that is already under way come to rest: promises, and IndexedDB in memory. */
export async function rest(turns = 100): Promise<void> {
  for (let index = 0; index < turns; index++) await turn()
}

export function manualTime(start = 1_800_000_000_000): ManualTime {
  let time = start
  const waiting = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => time,
    timers: {
      after(milliseconds, callback) {
        const timer = { at: time + milliseconds, callback }
        waiting.add(timer)
        return () => waiting.delete(timer)
      },
    },
    async pass(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        await rest()
        const next = [...waiting].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        waiting.delete(next)
        time = Math.max(time, next.at)
        next.callback()
      }
      time = end
      await rest()
    },
    sleep: (milliseconds) => {
      time += milliseconds
    },
  }
}
