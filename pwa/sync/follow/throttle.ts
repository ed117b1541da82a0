import { timings } from '../../browser/timings.ts'
import type { Timers } from '../drain/wake.ts'

/**
 * Makes one request at a time, however many wait.
 * @param now milliseconds of a monotonic clock
 */
export function createThrottle(timers: Timers, now: () => number) {
  const plans = new Map<string, { dueAt: number; run: () => void }>()
  let freeAt = -Infinity
  let cancelTimer = () => {}

  function wait(): void {
    cancelTimer()
    cancelTimer = () => {}
    const [first] = [...plans].sort(([, one], [, other]) => one.dueAt - other.dueAt)
    if (!first) return
    const [name, { dueAt, run }] = first
    cancelTimer = timers.after(Math.max(0, Math.max(dueAt, freeAt) - now()), () => {
      plans.delete(name)
      freeAt = now() + timings.requestSpacingMs
      run()
      wait()
    })
  }

  return {
    /** It takes the place of the request planned under the same name. */
    plan(name: string, waitMs: number, run: () => void) {
      plans.set(name, { dueAt: now() + waitMs, run })
      wait()
    },
    cancel(name: string) {
      if (plans.delete(name)) wait()
    },
    /** Requests may succeed again: all planned ones are due, one after the other. */
    makeDue() {
      for (const plan of plans.values()) plan.dueAt = Math.min(plan.dueAt, now())
      wait()
    },
    /** For a request with a reason of its own: planned ones keep their distance from it. */
    recordRequest() {
      freeAt = Math.max(freeAt, now() + timings.requestSpacingMs)
      wait()
    },
    stop() {
      plans.clear()
      cancelTimer()
    },
  }
}

/**
 * The first wait is 5 s, and each failure in a row doubles it up to `longestMs`. Up to 30 % more keeps devices that
 * failed together from coming back together.
 */
export function waitAfter(failures: number, random: number, longestMs: number): number {
  return (
    Math.min(longestMs, timings.requestSpacingMs * 2 ** Math.min(Math.max(failures, 1) - 1, 10)) * (1 + 0.3 * random)
  )
}
