import { hash, parseOptions, verify } from '@node-rs/argon2'
import { ProblemError } from '../calls/problems.ts'

// 2 is Argon2id; its name is a const enum, which this project's compiler options cannot read.
const argon2id = 2

/** `address` is where the call comes from, as allowances count it: none holds more than a few places of the queue. */
export interface Passwords {
  hash(password: string, address: string): Promise<string>
  /** Whether the password belongs to the hash. Without a hash it takes just as long and answers false. */
  verify(passwordHash: string | undefined, password: string, address: string): Promise<boolean>
  /** Whether the hash was made at another cost than today's. */
  isOutdated(passwordHash: string): boolean
}

/**
 * Password hashing with argon2id, a few at a time: each needs 46 MB, and a flood of sign-ins must neither use up the
 * memory nor keep everyone waiting. One address holds so many places of the queue at most, and what more it sends waits
 * in a short line of its own, where it keeps no other address out. Throws `unavailable` when a line is full.
 * `memoryCost`, in kilobytes, is what makes guessing dear: only a test takes less.
 */
export function createPasswords({
  atOnce = 4,
  queued = 32,
  perAddress = 4,
  queuedPerAddress = 8,
  memoryCost = 47_104,
} = {}): Passwords {
  const cost = { memoryCost, timeCost: 1, parallelism: 1, algorithm: argon2id } as const
  const shared = createGate(atOnce, queued)
  const ofAddress = new Map<string, Gate>()
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
    hash: (password, address) => inTurn(address, () => hash(password, cost)),
    verify: (passwordHash, password, address) =>
      inTurn(address, async () => {
        // An account may have no password: nothing matches what is no hash.
        if (passwordHash?.startsWith('$argon2')) return await verify(passwordHash, password)
        dummy ??= hash('a password nobody has', cost)
        await verify(await dummy, password)
        return false
      }),
    isOutdated: (passwordHash) => {
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

interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>
  isEmpty(): boolean
}

/** Lets work in, so many pieces at a time, and the rest in the order they came. */
function createGate(atOnce: number, queued: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    isEmpty: () => running === 0,
    pass: async (work) => {
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
        // The place goes to the next in line, so no new request slips in between.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
