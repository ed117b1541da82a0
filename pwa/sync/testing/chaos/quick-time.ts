/** How much faster the phones' clocks run than the server's. */
export const pace = 10

/** The phones' time: waiting, undo windows, leases and patience pass ten times as fast, in their true proportions. */
export function quickTime() {
  const start = Date.now()
  let offset = 0
  return {
    now: () => start + offset + (Date.now() - start) * pace,
    /** The clock is set so many milliseconds before the true time (negative) or after it; timers go on as they were. */
    setClockOff(milliseconds: number) {
      offset = milliseconds
    },
    timers: {
      after(milliseconds: number, callback: () => void) {
        const timer = setTimeout(callback, milliseconds / pace)
        return () => clearTimeout(timer)
      },
    },
  }
}
