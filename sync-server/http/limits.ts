import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { BurstyRateLimiter, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { connectionStringOf, createKnex } from '../db/knex-config.ts'
import type { SpendAllowance } from './handler.ts'
import { ProblemError } from './problems.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Plain allowances: so many in so many seconds, with some more for a crowd behind one address. */
const allowances = {
  register: { points: 10, seconds: HOUR },
  'application-address': { points: 60, seconds: 10 * MINUTE, burst: { points: 30, seconds: HOUR } },
  'application-event': { points: 300, seconds: HOUR },
  'own-application': { points: 300, seconds: 10 * MINUTE },
  'promo-check': { points: 20, seconds: 10 * MINUTE },
  'test-email': { points: 3, seconds: HOUR },
  'test-alert': { points: 6, seconds: 10 * MINUTE },
  'password-reset': { points: 5, seconds: HOUR },
  'password-reset-address': { points: 20, seconds: HOUR },
  'verification-mail': { points: 5, seconds: HOUR },
  'email-change': { points: 5, seconds: HOUR },
  'account-link': { points: 60, seconds: 10 * MINUTE },
} as const satisfies Record<string, { points: number; seconds: number; burst?: { points: number; seconds: number } }>

/**
 * `login` is of another kind: free tries, then each further one waits longer; a success gives everything back.
 * Spend it before the password is checked, for an account and address together.
 */
export type AllowanceName = keyof typeof allowances | 'login'

const FREE_LOGINS = 5
const LONGEST_LOGIN_WAIT_MINUTES = 15

interface Limiter {
  spend(subject: string): Promise<void>
  giveBack(subject: string): Promise<void>
}

/** Allowances counted in PostgreSQL, so that all server processes share them. */
export interface Limits {
  readonly spend: SpendAllowance
  close(): Promise<void>
}

/**
 * They have a small pool of their own: a call that holds a transaction while it waits for a second connection from the
 * same pool would wait for ever beside enough others.
 */
export function createLimits(db: Knex): Limits {
  const pool = createKnex(connectionStringOf(db), { poolSize: 2, applicationName: 'beaconry-limits' })
  const store = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'knex',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    })

  const limiters = new Map<string, Limiter>([
    ['login', growingWaits(store('login', FREE_LOGINS, DAY), store('login-wait', 1, MINUTE))],
  ])
  for (const [name, rule] of Object.entries(allowances)) {
    const plain = store(name, rule.points, rule.seconds)
    const limiter =
      'burst' in rule
        ? new BurstyRateLimiter(plain, store(`${name}-burst`, rule.burst.points, rule.burst.seconds))
        : plain
    limiters.set(name, {
      spend: async (subject) => void (await limiter.consume(subject)),
      giveBack: async (subject) => void (await plain.delete(subject)),
    })
  }

  const named = (allowance: AllowanceName): Limiter => {
    const limiter = limiters.get(allowance)
    if (!limiter) throw new Error(`There is no allowance called ${allowance}`)
    return limiter
  }
  const spend: SpendAllowance = Object.assign(
    async (allowance: AllowanceName, subject: string) => {
      try {
        await named(allowance).spend(hashed(subject))
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
        throw new ProblemError('too_many_requests', `Too many tries. Please wait ${inWords(retryAfterSeconds)}.`, {
          retryAfterSeconds,
        })
      }
    },
    { giveBack: async (allowance: AllowanceName, subject: string) => await named(allowance).giveBack(hashed(subject)) },
  )
  return { spend, close: () => pool.destroy() }
}

/**
 * Five tries at once, then one after 1, 2, 4 … 15 minutes each. A refused try does not make the wait longer, so an owner
 * who knows the password is never locked out by a stranger's hammering from elsewhere.
 */
function growingWaits(tries: RateLimiterPostgres, wait: RateLimiterPostgres): Limiter {
  return {
    spend: async (subject) => {
      const waiting = await wait.get(subject)
      if (waiting && waiting.remainingPoints <= 0 && waiting.msBeforeNext > 0) throw waiting
      const { consumedPoints } = await tries.penalty(subject)
      if (consumedPoints < FREE_LOGINS) return
      const minutes = Math.min(2 ** (consumedPoints - FREE_LOGINS), LONGEST_LOGIN_WAIT_MINUTES)
      // Atomic: of several tries that arrive together only one passes.
      await wait.consume(subject, 1, { customDuration: minutes * MINUTE })
    },
    giveBack: async (subject) => {
      await tries.delete(subject)
      await wait.delete(subject)
    },
  }
}

/** Subjects hold addresses and e-mails; the table shall not. */
function hashed(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url')
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
