import { hash, parseOptions, verify } from '@node-rs/argon2'
import { ProblemError } from '../calls/problems.ts'

// 2 is Argon2id, a const enum that our compiler options cannot read.
const argon2id = 2

export type Passwords = ReturnType<typeof createPasswords>

/**
 * argon2id needs 46 MB a hash: a flood of sign-ins must neither exhaust the memory nor block others. An address holds
 * `perAddress` slots and has a line of its own. Throws `unavailable` when a line is full. `memoryCost` is in kilobytes,
 * and `address` is what allowances count.
 */
export function createPasswords({
  atOnce = 4,
  queued = 32,
  perAddress = 4,
  queuedPerAddress = 8,
  memoryCost = 47_104,
} = {}) {
  const cost = { memoryCost, timeCost: 1, parallelism: 1, algorithm: argon2id } as const
  const shared = createGate(atOnce, queued)
  const ofAddress = new Map<string, ReturnType<typeof createGate>>()
  const inTurn = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const own = ofAddress.get(address) ?? createGate(perAddress, queuedPerAddress)
    ofAddress.set(address, own)
    try {
      return await own.pass(() => shared.pass(work))
    } finally {
      if (own.isEmpty()) ofAddress.delete(address)
    }
  }
  let dummy: Promise<string> | undefined

  return {
    hash: (password: string, address: string): Promise<string> => inTurn(address, () => hash(password, cost)),
    /** Without a hash it takes just as long and answers false. */
    verify: (passwordHash: string | undefined, password: string, address: string): Promise<boolean> =>
      inTurn(address, async () => {
        // An account may have no password.
        if (passwordHash?.startsWith('$argon2')) return await verify(passwordHash, password)
        dummy ??= hash('a password of no account', cost)
        await verify(await dummy, password)
        return false
      }),
    /** A hash is outdated if it was made at another cost than today's. */
    isOutdated: (passwordHash: string): boolean => {
      const made = parseOptions(passwordHash)
      return (
        Number(made.algorithm) !== argon2id ||
        made.memoryCost !== cost.memoryCost ||
        made.timeCost !== cost.timeCost ||
        made.parallelism !== cost.parallelism
      )
    },
  }
}

function createGate(atOnce: number, queued: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    isEmpty: () => running === 0,
    pass: async <T>(work: () => Promise<T>): Promise<T> => {
      if (running >= atOnce) {
        if (waiting.length >= queued) {
          throw new ProblemError('unavailable', 'Many people are signing in right now. Please try again in a moment.', {
            retryAfterSeconds: 2,
          })
        }
        await new Promise<void>((admit) => waiting.push(admit))
      } else {
        running += 1
      }
      try {
        return await work()
      } finally {
        // The slot goes to the next in line, so no new request slips in between.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
