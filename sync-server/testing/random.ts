/** Random numbers from a seed (mulberry32): the same on every machine. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /** A whole number from 0 and below `limit`. */
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    /** True with this probability, 0 to 1. */
    chance: (probability: number) => next() < probability,
    /** Throws for an empty list. */
    pick: <T>(list: readonly T[]) => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[below(list.length)] as T
    },
  }
}
