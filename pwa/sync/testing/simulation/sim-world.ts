import type { Chance, World } from './sim-stage.ts'

/** One seed's random numbers (mulberry32): the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface Planned {
  readonly at: number
  readonly run: () => void
}

export function createChance(random: () => number): Chance {
  const below = (bound: number) => Math.floor(random() * bound)
  return {
    random,
    chance: (probability) => random() < probability,
    below,
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
  }
}

// setImmediate runs when every promise that can be settled is settled.
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createWorld(seed: number, start = 1_800_000_000_000): World {
  /** The soonest last; of those of one moment, the one that was planned first. */
  let plan: Planned[] = []
  let time = start
  return {
    now: () => time,
    ...createChance(seededRandom(seed)),
    after(milliseconds, run) {
      const planned: Planned = { at: time + Math.max(0, milliseconds), run }
      let place = plan.length
      while (place > 0 && plan[place - 1]!.at <= planned.at) place--
      plan.splice(place, 0, planned)
      return () => {
        plan = plan.filter((other) => other !== planned)
      }
    },
    async step(until) {
      const next = plan.at(-1)
      if (!next || next.at > until) {
        time = Math.max(time, until)
        return false
      }
      plan.pop()
      time = next.at
      next.run()
      await settled()
      return true
    },
  }
}
