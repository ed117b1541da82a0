import { describe, expect, it } from 'vitest'
import { createProgress, withPoke } from './progress.ts'

describe('a poke', () => {
  it('about applications lets events be, which are as complete as before', () => {
    const poke = { scope: 'org', version: 12, since: 10, collections: ['applications'] } as const
    expect(withPoke({ events: 10, applications: 10 }, poke)).toEqual({
      heads: { events: 12, applications: 10 },
      behind: ['applications'],
    })
  })

  it.each([
    ['that begins later than what is here', { since: 11, collections: ['applications'] as const }],
    ['that names nothing', {}],
  ])('%s asks for everything that is behind', (_, more) => {
    const heads = { events: 10, applications: 10 }
    expect(withPoke(heads, { scope: 'org', version: 12, ...more })).toEqual({
      heads,
      behind: ['events', 'applications'],
    })
  })

  it('says nothing about a collection that was never pulled', () => {
    const poke = { scope: 'org', version: 12, since: 0, collections: ['applications'] } as const
    expect(withPoke({ applications: 10 }, poke)).toEqual({
      heads: { applications: 10 },
      behind: ['events', 'applications'],
    })
  })

  it('that is old news asks for nothing', () => {
    expect(withPoke({ events: 10, applications: 12 }, { scope: 'org', version: 10 }).behind).toEqual([])
  })
})

describe('progress', () => {
  it('proves only what every collection was asked after', () => {
    const progress = createProgress()
    progress.pulled('applications', new Set([1, 2]))
    expect(progress.pulledSince().size).toBe(0)
    progress.pulled('events', new Set([2, 3]))
    expect([...progress.pulledSince()]).toEqual([2])
  })

  it('that another tab wrote down never takes this one back', () => {
    const progress = createProgress()
    progress.reach({ events: 10, applications: 12 })
    expect([progress.isComplete(), progress.appliedVersion()]).toEqual([false, 10])
    progress.follow({ events: 9, applications: 15, account: 1 })
    expect(progress.heads()).toEqual({ events: 10, applications: 15, account: 1 })
    expect(progress.isComplete()).toBe(true)
  })
})
