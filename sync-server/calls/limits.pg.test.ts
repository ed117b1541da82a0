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

it('a venue’s address applies 620 times at once, then twenty times each minute', async () => {
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
  'own-deletion',
  'password-reset-address',
  'account-link',
])('an address or account that a stranger uses up (%s) waits a quarter of an hour at most', async (name) => {
  await limits.spend(name, '192.0.2.4')
  await useUp(db, name, 100_000, 100_000)
  later(11)
  const wait = await waitAfter(name, '192.0.2.4')
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(15 * 60)
  later(wait + 1)
  expect(await waitAfter(name, '192.0.2.4')).toBe(0)
})

describe('what changes cost', () => {
  const taken = async () => {
    const rows = (await db('rate_limits' as never)) as { key: string; points: number }[]
    return rows.reduce((sum, { points }) => sum + points, 0)
  }

  it('is taken in lots: many small changes ask the database once', async () => {
    for (let n = 0; n < 40; n += 1) await limits.spend('account-change', 'user:1')
    expect(await taken()).toBe(41)
    await limits.spend('account-change', 'user:1')
    expect(await taken()).toBe(41)
  })

  it('is taken for many calls at once and goes back, so that a crowd pays what its calls cost', async () => {
    const process = createLimits(db)
    await Promise.all(Array.from({ length: 50 }, () => process.spend('visitor-change', '192.0.2.7', 2)))
    await process.close()
    expect(await taken()).toBe(100)
  })

  it('goes back to where it was taken from', async () => {
    const process = createLimits(db)
    await process.spend('visitor-change', '192.0.2.8', 128)
    // The plain allowance has no room for another lot.
    await process.spend('visitor-change', '192.0.2.8', 9)
    await process.close()
    const [burst] = await db('rate_limits' as never).where('key' as never, 'like', 'visitor-change-burst%')
    expect(burst).toMatchObject({ points: 1 })
  })

  it('goes back with the process that took it: a server that restarts often locks no caller out', async () => {
    for (let start = 0; start < 30; start += 1) {
      const process = createLimits(db)
      await process.spend('account-change', 'user:2', 2)
      await process.close()
    }
    expect(await taken()).toBe(60)
  })

  it('is taken anew after ten seconds, so that what another process has used up counts here too', async () => {
    await limits.spend('account-change', 'user:3')
    await useUp(db, 'account-change', 100_000, 100_000)
    expect(await waitAfter('account-change', 'user:3')).toBe(0)
    later(11)
    expect(await waitAfter('account-change', 'user:3')).toBeGreaterThan(0)
  })
})

it('what is counted and never refused says how often it happened that day to its subject', async () => {
  const count = () => limits.spend.count('acknowledgement', 'bea@example.com')
  expect([await count(), await count(), await count()]).toEqual([1, 2, 3])
  expect(await limits.spend.count('acknowledgement', 'bo@example.com')).toBe(1)
  later(24 * 3600 + 1)
  expect(await count()).toBe(1)
})

it('keeps no address, and no hash that a list of all addresses leads to', async () => {
  await waitAfter('register', '198.51.100.7')
  // A lot of an earlier test may still be on its way back to another allowance.
  const rows = () => db('rate_limits' as never).where('key' as never, 'like', 'register%')
  const kept = await rows()
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain('198.51')
  for (const encoding of ['base64url', 'hex', 'base64'] as const)
    expect(JSON.stringify(kept)).not.toContain(createHash('sha256').update('198.51.100.7').digest(encoding))
  await waitAfter('register', '198.51.100.7', second)
  expect(await rows()).toHaveLength(1)
})
