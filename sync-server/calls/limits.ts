import { createHmac } from 'node:crypto'
import type { Knex } from 'knex'
import type { EndpointName } from '#shared/contract/endpoints.ts'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { createKnex, directConnectionOf } from '../db/knex-config.ts'
import { getInstallationSecret } from '../db/installation-secret.ts'
import { ProblemError } from './problems.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `burst` is on top, for a crowd behind one address. */
interface Rule {
  readonly points: number
  readonly seconds: number
  readonly burst?: { readonly points: number; readonly seconds: number }
  /** `{wait}` is replaced by how long. */
  readonly refusal?: string
}

const allowances = {
  // Counts wrong passwords in unknown browsers.
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
  'page-view': { points: 120, seconds: MINUTE, burst: { points: 3000, seconds: HOUR } },
  // A point is a group of errors, a kilobyte at most.
  'error-report': { points: 24, seconds: 30 * MINUTE },
  'own-application': { points: 1000, seconds: MINUTE },
  // These two limits refuse nothing.
  'application-event': { points: 1, seconds: DAY },
  acknowledgement: { points: 1, seconds: DAY },
  'new-event': {
    points: 100,
    seconds: DAY,
    refusal: 'You have published a hundred events within a day. Please wait {wait} before the next one.',
  },
  picture: { points: 30, seconds: HOUR },
  'picture-address': { points: 10, seconds: MINUTE, burst: { points: 200, seconds: HOUR } },
  'walk-in': { points: 300, seconds: HOUR },
  message: {
    points: 30,
    seconds: HOUR,
    refusal: 'Thirty messages were sent for this event within an hour. Please wait {wait}. Nothing is lost.',
  },
  'promo-check': { points: 20, seconds: 10 * MINUTE },
  'test-email': { points: 3, seconds: HOUR },
  'test-alert': { points: 6, seconds: 10 * MINUTE },
  'password-reset': { points: 5, seconds: HOUR },
  'password-reset-address': { points: 5, seconds: 10 * MINUTE, burst: { points: 15, seconds: HOUR } },
  'verification-mail': { points: 5, seconds: HOUR },
  'email-change': { points: 5, seconds: HOUR },
  'email-change-mailbox': { points: 10, seconds: DAY },
  profile: { points: 20, seconds: HOUR },
  'data-download': { points: 5, seconds: HOUR },
  'own-deletion': { points: 10, seconds: 10 * MINUTE },
  'account-deletion': { points: 5, seconds: HOUR },
  'account-link': { points: 60, seconds: 10 * MINUTE },
} as const satisfies Record<string, Rule>

export function maxPerHour(name: 'visitor-change' | 'account-change' | 'error-report'): number {
  const { points, seconds, burst }: Rule = allowances[name]
  return (points * HOUR) / seconds + (burst ? (burst.points * HOUR) / burst.seconds : 0)
}

/** `login` is spent before the password is checked, and a success gives everything back. */
const pointsPerChange = 4
const bytesPerPoint = 420
/** A visitor's largest change fits into what is allowed every quarter of an hour. */
const maxPoints = { visitor: 135, account: 1000 }

/** The search for words keeps the texts of events again, with an index that is several times as large. */
const timesKept: Partial<Record<EndpointName, number>> = { createEvent: 8, updateEvent: 8 }

/** @param bytes of the call's body. @returns the points of `visitor-change` or `account-change` */
export const costOfChange = (name: EndpointName, bytes: number, by: keyof typeof maxPoints): number =>
  Math.min(pointsPerChange + Math.ceil((bytes * (timesKept[name] ?? 1)) / bytesPerPoint), maxPoints[by])

export type AllowanceName = keyof typeof allowances | 'login'

/** Throws `too_many_requests` with Retry-After when too few points are left; what was asked for counts all the same. */
export interface SpendAllowance {
  (allowance: AllowanceName, subject: string, points?: number): Promise<void>
  check(allowance: AllowanceName, subject: string): Promise<void>
  /** Spends a point without refusing, and answers how many are spent. */
  count(allowance: AllowanceName, subject: string): Promise<number>
  refund(allowance: AllowanceName, subject: string): Promise<void>
  giveBack(allowance: AllowanceName, subject: string): Promise<void>
}

const FREE_LOGINS = 5
const LONGEST_LOGIN_WAIT_MINUTES = 15

interface Limiter {
  /** Returns where the points were taken from. */
  spend(subject: string, points: number): Promise<RateLimiterPostgres>
  count(subject: string): Promise<number>
  check(subject: string): Promise<void>
  refund(subject: string): Promise<unknown>
  giveBack(subject: string): Promise<unknown>
}

export interface Limits {
  readonly spend: SpendAllowance
  close(): Promise<void>
}

/** With a pool of its own: a transaction that waited for a second connection could wait for those that wait for it. */
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
      // Else each limiter of each process would look for what has expired: the clean-up does.
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    })

  const plainLimiter = (name: string, rule: Rule): Limiter => {
    const plain = store(name, rule.points, rule.seconds)
    const burst = rule.burst && store(`${name}-burst`, rule.burst.points, rule.burst.seconds)
    return {
      spend: async (subject, points) => {
        try {
          await plain.consume(subject, points)
          return plain
        } catch (error) {
          // The wait is that of the plain allowance, which is the shorter one.
          if (!burst || !(error instanceof RateLimiterRes)) throw error
          await burst.consume(subject, points).catch((refused: unknown) => {
            throw refused instanceof RateLimiterRes ? error : refused
          })
          return burst
        }
      },
      count: async (subject) => (await plain.penalty(subject)).consumedPoints,
      check: async (subject) => {
        const found = await plain.get(subject)
        if (found && found.consumedPoints >= rule.points && found.msBeforeNext > 0) throw found
      },
      refund: async (subject) => await plain.reward(subject),
      giveBack: async (subject) => await plain.delete(subject),
    }
  }
  const changes = (['account-change', 'visitor-change'] as const).map(
    (name) => [name, inLots(plainLimiter(name, allowances[name]), lotSizes[name])] as const,
  )
  const limiters = Object.fromEntries([
    ['login', growingWaits(store('login', FREE_LOGINS, DAY), store('login-wait', 1, MINUTE))],
    ...Object.entries<Rule>(allowances).map(([name, rule]) => [name, plainLimiter(name, rule)]),
    ...changes,
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
    asking(async (limiter, key, points) => void (await limiter.spend(key, points))),
    {
      check: asking((limiter, key) => limiter.check(key)),
      count: asking((limiter, key) => limiter.count(key)),
      refund: asking(async (limiter, key) => void (await limiter.refund(key))),
      giveBack: asking(async (limiter, key) => void (await limiter.giveBack(key))),
    },
  )
  return {
    spend,
    close: async () => {
      await Promise.allSettled(changes.map(([, limiter]) => limiter.returnLots()))
      await pool.destroy()
    },
  }
}

/** A process takes this many points at once and then hands them out without asking the database. */
const lotSizes = { 'account-change': 40, 'visitor-change': 8 }
/** A process that is killed costs its callers what is left of their lots. */
const LOT_MS = 10_000

interface Lot {
  left: number
  readonly from: RateLimiterPostgres
  readonly until: number
}

function inLots(limiter: Limiter, size: number): Limiter & { returnLots(nowMs?: number): Promise<unknown> } {
  /** The map keeps the oldest first. */
  const lots = new Map<string, Lot>()
  /** Calls at the same time take turns, or each would take a lot. */
  const turns = new Map<string, Promise<unknown>>()

  async function returnLots(nowMs = Infinity) {
    const returned: Promise<unknown>[] = []
    for (const [subject, { left, from, until }] of lots) {
      if (until > nowMs) break
      lots.delete(subject)
      returned.push(from.reward(subject, left))
    }
    await Promise.all(returned)
  }

  async function take(subject: string, points: number): Promise<RateLimiterPostgres> {
    const now = Date.now()
    const lot = lots.get(subject)
    if (lot && lot.until > now && lot.left >= points) {
      lot.left -= points
      return lot.from
    }
    // The call does not wait for what goes back.
    returnLots(now).catch(() => undefined)
    const left = lots.get(subject)?.left ?? 0
    lots.delete(subject)
    const from = await limiter.spend(subject, points - left + size)
    lots.set(subject, { left: size, from, until: now + LOT_MS })
    return from
  }

  return {
    ...limiter,
    returnLots,
    spend: async (subject, points) => {
      const taken = (turns.get(subject) ?? Promise.resolve()).then(() => take(subject, points))
      const turn = taken.catch(() => undefined)
      turns.set(subject, turn)
      try {
        return await taken
      } finally {
        if (turns.get(subject) === turn) turns.delete(subject)
      }
    },
  }
}

/** Admits five tries at once, then one after 1, 2, 4 … 15 minutes each. Refused tries do not lengthen the wait. */
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
        // This is atomic: of tries that arrive together one passes.
        await wait.consume(subject, 1, { customDuration: minutes * MINUTE })
      }
      return tries
    },
    count: async (subject) => (await tries.penalty(subject)).consumedPoints,
    refund: async (subject) => await tries.reward(subject),
    giveBack: async (subject) => {
      await tries.delete(subject)
      await wait.delete(subject)
    },
  }
}

/** Plain hashes of IPv4 addresses could be guessed. */
function hiddenSubject(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(subject).digest('base64url')
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
