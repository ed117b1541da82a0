/** Ids have at most so many digits: they are exact as a JavaScript number and readable in an address. */
export const greatestId = 999_999_999_999
const leastNewId = 100_000_000_000

/**
 * A random id of 12 digits for an event or an application, made by the app for what it creates, online or not, and by the
 * server for a caller that names none. Among a million of them the next one is taken with a chance of one in a million, which is a
 * refusal that another id repairs.
 */
export function newId(): number {
  const range = greatestId - leastNewId + 1
  // 53 random bits; what does not fit a whole number of ranges would favour the lower ids.
  const limit = Math.floor(Number.MAX_SAFE_INTEGER / range) * range
  for (;;) {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
    const random = (high >>> 11) * 2 ** 32 + low
    if (random < limit) return leastNewId + (random % range)
  }
}
