import { describe, expect, it } from 'vitest'
import { createProgress, withPoke } from './progress.ts'

it('a poke says nothing about a collection that was never pulled', () => {
  const poke = { scope: 'org', version: 12, since: 0, collections: ['applications'] } as const
  expect(withPoke({ applications: 10 }, poke)).toEqual({
    heads: { applications: 10 },
    behind: ['events', 'applications'],
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
