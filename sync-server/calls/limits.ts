import { createHmac } from 'node:crypto'
import type { Knex } from 'knex'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { createKnex, directConnectionOf } from '../db/knex-config.ts'
import { getInstallationSecret } from '../db/installation-secret.ts'
import { ProblemError } from './problems.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** So many points in so many seconds; `burst` is on top, for a crowd behind one address. */
interface Rule {
  readonly points: number
  readonly seconds: number
  readonly burst?: { readonly points: number; readonly seconds: number }
  /** `{wait}` is replaced by how long. */
  readonly refusal?: string
}

const allowances = {
  // Wrong passwords; not counted in a browser in which the account has signed in before.
  'login-address': {
    points: 40,
    seconds: 15 * MINUTE,
    refusal:
      'Too many failed sign-ins from this network. Please wait {wait}, use another network, or sign in where you have signed in before.',
  },
  'login-account': {
    points: 25,
    seconds: 15 * MINUTE,
    refusal:
      'Someone is guessing at the password of this account. Please wait {wait}, sign in where you have signed in before, or choose “Forgot password?”: a new password lets you in at once.',
  },
  // A point is a kilobyte written: 5 MB an hour for an address, 50 for an account.
  'visitor-change': { points: 136, seconds: 15 * MINUTE, burst: { points: 4400, seconds: HOUR } },
  'account-change': { points: 4000, seconds: 10 * MINUTE, burst: { points: 20_000, seconds: HOUR } },
  'sign-in': { points: 1000, seconds: HOUR },
  register: { points: 5, seconds: 10 * MINUTE, burst: { points: 10, seconds: HOUR } },
  // A venue's volunteers share one address: six hundred at once, later ones wait a minute at most.
  'application-address': { points: 20, seconds: MINUTE, burst: { points: 600, seconds: HOUR } },
  // As applications: an audience that opens a page together shares one address.
  'page-view': { points: 120, seconds: MINUTE, burst: { points: 3000, seconds: HOUR } },
  // A point is a group of errors, a kilobyte at most: with what visitors change, 5 MB an hour for an address.
  'error-report': { points: 24, seconds: 30 * MINUTE },
  'own-application': { points: 1000, seconds: MINUTE },
  // Counted without refusing: how many mails follow from applications.
  'application-event': { points: 1, seconds: DAY },
  acknowledgement: { points: 1, seconds: DAY },
  'new-event': {
    points: 100,
    seconds: DAY,
    refusal: 'You have published a hundred events within a day. Please wait {wait} before the next one.',
  },
  // Of an event or application: decoding costs more than its kilobytes.
  picture: { points: 30, seconds: HOUR },
  'promo-check': { points: 20, seconds: 10 * MINUTE },
  'test-email': { points: 3, seconds: HOUR },
  'test-alert': { points: 6, seconds: 10 * MINUTE },
  'password-reset': { points: 5, seconds: HOUR },
  'password-reset-address': { points: 5, seconds: 10 * MINUTE, burst: { points: 15, seconds: HOUR } },
  'verification-mail': { points: 5, seconds: HOUR },
  'email-change': { points: 5, seconds: HOUR },
  'email-change-mailbox': { points: 10, seconds: DAY },
  // Each writes all of the account's events anew.
  profile: { points: 20, seconds: HOUR },
  // Reads all of an account's rows.
  'data-download': { points: 5, seconds: HOUR },
  // Each sends a mail.
  'account-deletion': { points: 5, seconds: HOUR },
  'account-link': { points: 60, seconds: 10 * MINUTE },
} as const satisfies Record<string, Rule>

export function mostPerHour(name: 'visitor-change' | 'account-change' | 'error-report'): number {
  const { points, seconds, burst }: Rule = allowances[name]
  return (points * HOUR) / seconds + (burst ? (burst.points * HOUR) / burst.seconds : 0)
}

/** `login`: free tries, then growing waits; a success gives everything back. It is spent before the password is checked. */
export type AllowanceName = keyof typeof allowances | 'login'

export type GiveBack = (points: number) => Promise<void>

/**
 * One point unless told otherwise. Throws `too_many_requests` with Retry-After, and spends nothing, when too few are left.
 */
export interface SpendAllowance {
  (allowance: AllowanceName, subject: string, points?: number): Promise<GiveBack>
  check(allowance: AllowanceName, subject: string): Promise<void>
  /** Never refuses. Answers how much the subject has spent. */
  count(allowance: AllowanceName, subject: string): Promise<number>
  refund(allowance: AllowanceName, subject: string): Promise<void>
  giveBack(allowance: AllowanceName, subject: string): Promise<void>
}

const FREE_LOGINS = 5
const LONGEST_LOGIN_WAIT_MINUTES = 15

interface Limiter {
  /** Throws a `RateLimiterRes`, and spends nothing, where the points do not fit. */
  spend(subject: string, points: number): Promise<GiveBack>
  count(subject: string): Promise<number>
  check(subject: string): Promise<void>
  refund(subject: string): Promise<void>
  giveBack(subject: string): Promise<void>
}

export interface Limits {
  readonly spend: SpendAllowance
  close(): Promise<void>
}

/**
 * Past any pooler: a call that waits for a second connection in a transaction could wait for ever for those that wait for
 * its locks.
 */
export function createLimits(db: Knex): Limits {
  const pool = createKnex(directConnectionOf(db).connectionString, {
    poolSize: 2,
    applicationName: 'beaconry-limits',
  })
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

  const plainLimiter = (name: string, rule: Rule): Limiter => {
    const plain = store(name, rule.points, rule.seconds)
    const burst = rule.burst && store(`${name}-burst`, rule.burst.points, rule.burst.seconds)
    return {
      spend: async (subject, points) => await takeFrom(pool, burst ? [plain, burst] : [plain], subject, points),
      count: async (subject) => (await plain.penalty(subject)).consumedPoints,
      check: async (subject) => {
        const found = await plain.get(subject)
        if (found && found.consumedPoints >= rule.points && found.msBeforeNext > 0) throw found
      },
      refund: async (subject) => void (await plain.reward(subject)),
      giveBack: async (subject) => void (await plain.delete(subject)),
    }
  }
  const limiters = Object.fromEntries([
    ['login', growingWaits(store('login', FREE_LOGINS, DAY), store('login-wait', 1, MINUTE))],
    ...Object.entries<Rule>(allowances).map(([name, rule]) => [name, plainLimiter(name, rule)]),
  ]) as Record<AllowanceName, Limiter>

  let secret: Promise<string> | undefined
  const asking =
    <T>(work: (limiter: Limiter, key: string, points: number) => Promise<T>) =>
    async (allowance: AllowanceName, subject: string, points = 1): Promise<T> => {
      secret ??= getInstallationSecret(pool, 'allowances')
      secret.catch(() => (secret = undefined))
      const key = hiddenSubject(await secret, subject)
      try {
        return await work(limiters[allowance], key, points)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
        const { refusal = 'Too many tries. Please wait {wait}.' }: Partial<Rule> =
          allowance === 'login' ? {} : allowances[allowance]
        throw new ProblemError('too_many_requests', refusal.replace('{wait}', inWords(retryAfterSeconds)), {
          retryAfterSeconds,
        })
      }
    }
  const spend: SpendAllowance = Object.assign(
    asking((limiter, key, points) => limiter.spend(key, points)),
    {
      check: asking((limiter, key) => limiter.check(key)),
      count: asking((limiter, key) => limiter.count(key)),
      refund: asking((limiter, key) => limiter.refund(key)),
      giveBack: asking((limiter, key) => limiter.giveBack(key)),
    },
  )
  return { spend, close: () => pool.destroy() }
}

/**
 * Throws the shortest wait where no allowance has room. What does not fit changes nothing, so that refused large requests
 * do not block a small one.
 */
async function takeFrom(
  pool: Knex,
  allowances: readonly RateLimiterPostgres[],
  subject: string,
  points: number,
): Promise<GiveBack> {
  let shortest: RateLimiterRes | undefined
  for (const allowance of allowances) {
    const key = allowance.getKey(subject)
    if (await fits(pool, allowance, key, points)) {
      return async (unused) => {
        await pool('rate_limits')
          .where({ key })
          .where('expire', '>', Date.now())
          .update({ points: pool.raw('greatest(points - ?, 0)', [unused]) })
      }
    }
    const wait = (await allowance.get(subject)) ?? new RateLimiterRes()
    if (shortest === undefined || wait.msBeforeNext < shortest.msBeforeNext) shortest = wait
  }
  throw shortest ?? new Error('There is no allowance to take points from')
}

async function fits(pool: Knex, allowance: RateLimiterPostgres, key: string, points: number): Promise<boolean> {
  if (points > allowance.points) return false
  const now = Date.now()
  const { rowCount } = (await pool
    .raw(
      `insert into rate_limits as r (key, points, expire) values (?, ?, ?)
       on conflict (key) do update set
         points = case when r.expire <= ? then excluded.points else r.points + excluded.points end,
         expire = case when r.expire <= ? then excluded.expire else r.expire end
       where r.expire <= ? or r.points + excluded.points <= ?`,
      [key, points, now + allowance.msDuration, now, now, now, allowance.points],
    )
    .options({ name: 'spend-points' })) as { rowCount: number }
  return rowCount === 1
}

/**
 * Five tries at once, then one after 1, 2, 4 … 15 minutes each. A refused try does not lengthen the wait, so a stranger's
 * hammering locks no owner out.
 */
function growingWaits(tries: RateLimiterPostgres, wait: RateLimiterPostgres): Limiter {
  const check = async (subject: string) => {
    const waiting = await wait.get(subject)
    if (waiting && waiting.remainingPoints <= 0 && waiting.msBeforeNext > 0) throw waiting
  }
  return {
    check,
    spend: async (subject) => {
      await check(subject)
      const { consumedPoints } = await tries.penalty(subject)
      if (consumedPoints >= FREE_LOGINS) {
        const minutes = Math.min(2 ** (consumedPoints - FREE_LOGINS), LONGEST_LOGIN_WAIT_MINUTES)
        // Atomic: of tries that arrive together one passes.
        await wait.consume(subject, 1, { customDuration: minutes * MINUTE })
      }
      return async (unused) => void (await tries.reward(subject, unused))
    },
    count: async (subject) => (await tries.penalty(subject)).consumedPoints,
    refund: async (subject) => void (await tries.reward(subject)),
    giveBack: async (subject) => {
      await tries.delete(subject)
      await wait.delete(subject)
    },
  }
}

/** The table must not hold addresses and e-mails. Plain hashes of IPv4 addresses can be guessed, so it needs a secret. */
function hiddenSubject(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(subject).digest('base64url')
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
