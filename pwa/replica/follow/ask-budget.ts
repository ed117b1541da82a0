import type { Timers } from '../../outbox/drain/replay.ts'

/** Between two requests that nothing new has caused lie at least this many milliseconds, whatever is answered. */
export const spacingMs = 5_000

/**
 * Spaces the requests of a page that nobody and nothing has asked for: retries, polls, a stream that is opened again. However
 * many of them wait, and whatever their answers are, one is made at a time and never more than one in `spacingMs`.
 */
export interface AskBudget {
  /** Plans a request for when so many milliseconds are over, in place of the one planned under the same name. */
  plan(name: string, waitMs: number, run: () => void): void
  isPlanned(name: string): boolean
  callOff(name: string): void
  /** There is reason to believe that requests succeed again: what is planned is due, one after the other. */
  hurry(): void
  /** A request was made for a reason of its own: the planned ones keep their distance from it too. */
  spent(): void
  stop(): void
}

/** @param now milliseconds of a clock that nobody sets */
export function createAskBudget(timers: Timers, now: () => number): AskBudget {
  const plans = new Map<string, { dueAt: number; run: () => void }>()
  let freeAt = -Infinity
  let callOffTimer = () => {}

  const next = () =>
    [...plans].reduce<[string, { dueAt: number; run: () => void }] | undefined>(
      (first, one) => (first && first[1].dueAt <= one[1].dueAt ? first : one),
      undefined,
    )

  function wait(): void {
    callOffTimer()
    callOffTimer = () => {}
    const first = next()
    if (!first) return
    const [name, { dueAt, run }] = first
    callOffTimer = timers.after(Math.max(0, Math.max(dueAt, freeAt) - now()), () => {
      plans.delete(name)
      freeAt = now() + spacingMs
      run()
      wait()
    })
  }

  return {
    plan(name, waitMs, run) {
      plans.set(name, { dueAt: now() + waitMs, run })
      wait()
    },
    isPlanned: (name) => plans.has(name),
    callOff(name) {
      if (plans.delete(name)) wait()
    },
    hurry() {
      for (const plan of plans.values()) plan.dueAt = Math.min(plan.dueAt, now())
      wait()
    },
    spent() {
      freeAt = Math.max(freeAt, now() + spacingMs)
      wait()
    },
    stop() {
      plans.clear()
      callOffTimer()
    },
  }
}

/**
 * How long to wait after so many failures in a row of one cause: 5 s, doubled each time up to `longestMs`, and up to 30 %
 * more so that devices that failed together do not come back together.
 */
export function waitAfter(failures: number, random: number, longestMs: number): number {
  return Math.min(longestMs, spacingMs * 2 ** Math.min(Math.max(failures, 1) - 1, 10)) * (1 + 0.3 * random)
}
