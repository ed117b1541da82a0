import type { Timers } from '../../drain/wake.ts'

/** How much faster the phones' clocks run than the server's. */
export const pace = 10

interface QuickTime {
  readonly now: () => number
  readonly timers: Timers
  /** Somebody sets the clock to so many milliseconds before the true time (negative) or after it; timers go on as they were. */
  setClockOff(milliseconds: number): void
}

/** The phones' time: waiting, undo windows, leases and patience pass ten times as fast, in their true proportions. */
export function quickTime(): QuickTime {
  const start = Date.now()
  let offset = 0
  return {
    now: () => start + offset + (Date.now() - start) * pace,
    setClockOff(milliseconds) {
      offset = milliseconds
    },
    timers: {
      after(milliseconds, callback) {
        const timer = setTimeout(callback, milliseconds / pace)
        return () => clearTimeout(timer)
      },
    },
  }
}
