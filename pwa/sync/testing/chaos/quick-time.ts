/** How much faster the phones' clocks run than the server's. */
export const pace = 10

/** The phones' time: waiting, undo windows and patience pass ten times as fast, in their true proportions. */
export function quickTime() {
  const start = Date.now()
  return {
    now: () => start + (Date.now() - start) * pace,
    timers: {
      after(milliseconds: number, callback: () => void) {
        const timer = setTimeout(callback, milliseconds / pace)
        return () => clearTimeout(timer)
      },
    },
  }
}
