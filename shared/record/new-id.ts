/** Ids have 12 digits, which a JavaScript number holds exactly and a person can read in an address. */
export const greatestId = 999_999_999_999
const minNewId = 100_000_000_000

/**
 * An id has 12 random digits, so that an app can make it offline. With a million ids the next one collides with a
 * chance of one in a million, and is refused until another is offered.
 */
export function newId(): number {
  const range = greatestId - minNewId + 1
  // 53 random bits; the rest above whole ranges would favour the lower ids.
  const limit = Math.floor(Number.MAX_SAFE_INTEGER / range) * range
  for (;;) {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
    const random = (high >>> 11) * 2 ** 32 + low
    if (random < limit) return minNewId + (random % range)
  }
}
