import type { Timers } from '../../replay.ts'

/** How much faster the phones' clocks run than the server's. */
const pace = 10

/** The phones' time: waiting, undo windows, leases and patience pass ten times as fast, in their true proportions. */
export function quickTime(): { readonly now: () => number; readonly timers: Timers } {
  const start = Date.now()
  return {
    now: () => start + (Date.now() - start) * pace,
    timers: {
      after(milliseconds, callback) {
        const timer = setTimeout(callback, milliseconds / pace)
        return () => clearTimeout(timer)
      },
    },
  }
}
