import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

const here = '192.0.2.1'

describe('passwords', () => {
  it('are verified against their hash only, to the last character', async () => {
    const passwords = createPasswords()
    const long = 'é'.repeat(256)
    const hash = await passwords.hash(long, here)
    expect(await passwords.verify(hash, long, here)).toBe(true)
    expect(await passwords.verify(hash, long.slice(0, -1), here)).toBe(false)
    expect(await passwords.verify(undefined, long, here)).toBe(false)
    expect(passwords.isOutdated(hash)).toBe(false)
  })

  it('are hashed a few at a time; who finds the queue full is asked to come back', async () => {
    const passwords = createPasswords({ atOnce: 2, queued: 3 })
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => passwords.hash('lantern', `192.0.2.${n}`)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused.map(({ code, details }) => [code, details.retryAfterSeconds])).toEqual(
      Array.from({ length: 3 }, () => ['unavailable', 2]),
    )
    expect(await passwords.hash('lantern', here)).toContain('$argon2id$')
  })

  it('of one address leave the queue to thirty others, however many it sends', async () => {
    const passwords = createPasswords()
    const flood = Array.from({ length: 64 }, () => passwords.hash('guess', '198.51.100.1'))
    const others = Array.from({ length: 30 }, (_, n) => passwords.hash('lantern', `203.0.113.${n}`))
    const [flooded, helped] = await Promise.all([Promise.allSettled(flood), Promise.allSettled(others)])
    expect(helped.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(flooded.filter(({ status }) => status === 'fulfilled')).toHaveLength(12)
  })
})
