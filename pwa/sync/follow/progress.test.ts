import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.ts'

const none = new Set<number>()
function pulledTo(events: number, applications: number) {
  const progress = createProgress()
  progress.pulled('events', events, none)
  progress.pulled('applications', applications, none)
  return progress
}

describe('a poke', () => {
  it('about applications lets events be, which are as complete as before', () => {
    const progress = pulledTo(10, 10)
    expect(progress.heard({ scope: 'org', version: 12, since: 10, collections: ['applications'] })).toEqual([
      'applications',
    ])
    expect([progress.head('events'), progress.head('applications'), progress.appliedVersion()]).toEqual([12, 10, 10])
    progress.pulled('applications', 12, none)
    expect(progress.appliedVersion()).toBe(12)
  })

  it.each([
    ['that begins later than what is here', { since: 11, collections: ['applications'] as const }],
    ['that names nothing', {}],
  ])('%s asks for everything that is behind', (_, more) => {
    const progress = pulledTo(10, 10)
    expect(progress.heard({ scope: 'org', version: 12, ...more })).toEqual(['events', 'applications'])
    expect(progress.head('events')).toBe(10)
  })

  it('says nothing about a collection that was never pulled', () => {
    const progress = createProgress()
    progress.pulled('applications', 10, none)
    const poke = { scope: 'org', version: 12, since: 0, collections: ['applications'] } as const
    expect(progress.heard(poke)).toEqual(['events', 'applications'])
    expect(progress.isComplete()).toBe(false)
  })

  it('that is old news asks for nothing', () => {
    expect(pulledTo(10, 12).heard({ scope: 'org', version: 10 })).toEqual([])
  })
})

describe('progress', () => {
  it('proves only what every collection was asked after', () => {
    const progress = createProgress()
    progress.pulled('applications', 10, new Set([1, 2]))
    expect(progress.pulledSince().size).toBe(0)
    progress.pulled('events', 10, new Set([2, 3]))
    expect([...progress.pulledSince()]).toEqual([2])
  })

  it('that another tab wrote down never takes this one back', () => {
    const progress = pulledTo(10, 12)
    progress.follow({ events: 9, applications: 15, account: 1 })
    expect(progress.heads()).toEqual({ events: 10, applications: 15, account: 1 })
    expect(progress.isComplete()).toBe(true)
  })
})
