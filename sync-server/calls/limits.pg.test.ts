import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useUp } from '../testing/visited-event.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { createLimits, type AllowanceName } from './limits.ts'
import { ProblemError } from './problems.ts'

const { db } = await setTestDatabase()
const limits = createLimits(db)
const second = createLimits(db)
afterAll(async () => {
  vi.useRealTimers()
  await Promise.all([limits.close(), second.close()])
})
beforeEach(async () => {
  await db('rate_limits' as never).delete()
  // Only the clock stands still; the database connection needs its timers.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') })
})

/** How many seconds to wait; 0 when the try was allowed. */
async function waitAfter(
  allowance: AllowanceName,
  subject = 'olivia@example.com 192.0.2.1',
  by = limits,
): Promise<number> {
  try {
    await by.spend(allowance, subject)
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError)
    expect((error as ProblemError).code).toBe('too_many_requests')
    return (error as ProblemError).details.retryAfterSeconds ?? -1
  }
}
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

describe('signing in', () => {
  it('may fail five times, then once after 1, 2, 4, 8 and 15 minutes each', async () => {
    for (let n = 0; n < 5; n++) expect(await waitAfter('login')).toBe(0)
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      expect(await waitAfter('login')).toBe(minutes * 60)
      later(minutes * 60 - 2)
      expect(await waitAfter('login'), `${minutes} minutes, 2 s too early`).toBe(2)
      later(3)
      expect(await waitAfter('login'), `after ${minutes} minutes`).toBe(0)
    }
  })

  it('lets no more through when a hundred tries arrive together at two servers', async () => {
    const tries = await Promise.all(
      Array.from({ length: 100 }, (_, n) => waitAfter('login', 'otto 192.0.2.9', n % 2 ? limits : second)),
    )
    expect(tries.filter((seconds) => seconds === 0)).toHaveLength(5)
  })
})

it('applying allows six hundred and twenty from the address of a venue at once, then twenty each minute', async () => {
  const allowed = async (tries: number) => {
    let passed = 0
    for (let n = 0; n < tries; n++) if ((await waitAfter('application-address', '192.0.2.3')) === 0) passed++
    return passed
  }
  expect(await allowed(625)).toBe(620)
  later(61)
  expect(await allowed(25)).toBe(20)
  later(50)
  expect(await waitAfter('application-address', '192.0.2.3')).toBeLessThanOrEqual(10)
})

it.each<AllowanceName>([
  'login-address',
  'login-account',
  'register',
  'visitor-change',
  'application-address',
  'own-application',
  'password-reset-address',
  'account-link',
])('an address or account that a stranger uses up (%s) waits a quarter of an hour at most', async (name) => {
  await limits.spend(name, '192.0.2.4')
  await useUp(db, name, 100_000, 100_000)
  const wait = await waitAfter(name, '192.0.2.4')
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(15 * 60)
  later(wait + 1)
  expect(await waitAfter(name, '192.0.2.4')).toBe(0)
})

describe('what does not fit', () => {
  const left = async () => {
    const rows = (await db('rate_limits' as never)) as { key: string; points: number }[]
    return Object.fromEntries(rows.map(({ key, points }) => [key.split(':')[0], points]))
  }

  it('uses nothing up, however often it is asked for, and leaves room for what is small', async () => {
    await limits.spend('visitor-change', '192.0.2.5', 90)
    await limits.spend('visitor-change', '192.0.2.5', 4370)
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? limits : second).spend('visitor-change', '192.0.2.5', 62).catch((error: unknown) => error),
      ),
    )
    expect(tries.every((error) => error instanceof ProblemError)).toBe(true)
    expect(await left()).toEqual({ 'visitor-change': 90, 'visitor-change-burst': 4370 })
    await limits.spend('visitor-change', '192.0.2.5', 40)
    expect(await left()).toEqual({ 'visitor-change': 130, 'visitor-change-burst': 4370 })
  })

  it('and what is given back goes where it came from, as long as that counts', async () => {
    await limits.spend('visitor-change', '192.0.2.6', 100)
    const giveBack = await limits.spend('visitor-change', '192.0.2.6', 90)
    await giveBack(89)
    expect(await left()).toEqual({ 'visitor-change': 100, 'visitor-change-burst': 1 })
    later(3601)
    await giveBack(1)
    await limits.spend('visitor-change', '192.0.2.6', 100)
    expect(await left()).toEqual({ 'visitor-change': 100, 'visitor-change-burst': 1 })
  })
})

it('what is counted and never refused says how often it happened since the day began for its subject', async () => {
  const count = () => limits.spend.count('acknowledgement', 'bea@example.com')
  expect([await count(), await count(), await count()]).toEqual([1, 2, 3])
  expect(await limits.spend.count('acknowledgement', 'bo@example.com')).toBe(1)
  later(24 * 3600 + 1)
  expect(await count()).toBe(1)
})

it('keeps no address, and no hash that a list of all addresses leads to', async () => {
  await waitAfter('register', '198.51.100.7')
  const rows = JSON.stringify(await db('rate_limits' as never))
  expect(rows).not.toContain('198.51')
  for (const encoding of ['base64url', 'hex', 'base64'] as const)
    expect(rows).not.toContain(createHash('sha256').update('198.51.100.7').digest(encoding))
  await waitAfter('register', '198.51.100.7', second)
  expect(JSON.parse(rows)).toHaveLength(1)
  expect(await db('rate_limits' as never)).toHaveLength(1)
})
