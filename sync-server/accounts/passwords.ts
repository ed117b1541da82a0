import { hash, parseOptions, verify } from '@node-rs/argon2'
import { ProblemError } from '../http/problems.ts'

// 2 is Argon2id; its name is a const enum, which this project's compiler options cannot read.
const argon2id = 2
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1, algorithm: argon2id } as const

/** Names an account and where from, as the allowance for tries counts them. */
export const loginSubject = (email: string, address: string) => `${email.toLowerCase()} ${address}`

export interface Passwords {
  hash(password: string): Promise<string>
  /** Whether the password belongs to the hash. Without a hash it takes just as long and answers false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>
  /** Whether the hash was made at another cost than today's. */
  isOutdated(passwordHash: string): boolean
}

/**
 * Password hashing with argon2id, a few at a time: each needs 46 MB, and a flood of sign-ins must neither use up the
 * memory nor keep everyone waiting. Throws `unavailable` when the queue is full.
 */
export function createPasswords({ atOnce = 4, queued = 32 } = {}): Passwords {
  const inTurn = createGate(atOnce, queued)
  let dummy: Promise<string> | undefined

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (passwordHash, password) =>
      inTurn(async () => {
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

function createGate(atOnce: number, queued: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
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
      // The place goes to the next in line, so nobody new slips in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
