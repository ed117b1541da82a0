import type { Timers } from '../drain/wake.ts'
import { createWorld } from './simulation/sim-world.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets everything that is already under way come to rest: promises, and IndexedDB in memory. */
export async function rest(turns = 100): Promise<void> {
  for (let index = 0; index < turns; index++) await turn()
}

/** A clock that moves when told to, with its timers. */
export function manualTime() {
  const { now: ran, after, step } = createWorld(1)
  const timers: Timers = { after }
  let slept = 0
  return {
    now: () => ran() + slept,
    timers,
    /** The device sleeps: its clock moves, and its timers wait. */
    sleep(milliseconds: number): void {
      slept += milliseconds
    },
    /** Moves on and runs what came due, in order; what they start is awaited between the steps. */
    async pass(milliseconds: number): Promise<void> {
      const end = ran() + milliseconds
      do await rest()
      while (await step(end))
      await rest()
    },
  }
}
