import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

describe('passwords', () => {
  it('are verified against their hash only, to the last character', async () => {
    const passwords = createPasswords()
    const long = 'é'.repeat(256)
    const hash = await passwords.hash(long)
    expect(await passwords.verify(hash, long)).toBe(true)
    expect(await passwords.verify(hash, long.slice(0, -1))).toBe(false)
    expect(await passwords.verify(undefined, long)).toBe(false)
    expect(passwords.isOutdated(hash)).toBe(false)
  })

  it('are hashed a few at a time; who finds the queue full is asked to come back', async () => {
    const passwords = createPasswords({ atOnce: 2, queued: 3 })
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.hash('lantern')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused.map(({ code, details }) => [code, details.retryAfterSeconds])).toEqual(
      Array.from({ length: 3 }, () => ['unavailable', 2]),
    )
    expect(await passwords.hash('lantern')).toContain('$argon2id$')
  })
})
