import { describe, expect, it } from 'vitest'
import { problemStatus } from '#shared/contract/problem.ts'
import { aboutWords, errorWords, jobWords, mayBeOurs, reasonWords, standingWords } from './operation-words.ts'

describe('jobs in words', () => {
  it.each([
    ['send-mail', 'Send an e-mail'],
    ['a-kind-of-tomorrow', 'A kind of tomorrow'],
  ])('%s is “%s”', (kind, words) => {
    expect(jobWords(kind)).toBe(words)
  })

  it('are about numbers, or themselves', () => {
    expect(aboutWords({ id: 3, about: [] })).toBe('Job 3')
    expect(
      aboutWords({
        id: 3,
        about: [
          { what: 'event', id: 7 },
          { what: 'mail', id: 12 },
        ],
      }),
    ).toBe('Event 7 · Mail 12')
  })

  it('say how they came to stand there', () => {
    expect(standingWords({ standing: 'dead', attempts: 1 })).toBe('Failed once,')
    expect(standingWords({ standing: 'dead', attempts: 8 })).toBe('Failed 8 times, last')
    expect(standingWords({ standing: 'overdue', attempts: 0 })).toBe('No worker has taken it, due since')
    expect(errorWords({ lastError: 'the mail server answered 550' })).toBe('The mail server answered 550')
    expect(errorWords({ lastError: null })).toBe('No reason was noted.')
  })
})

describe('refused changes in words', () => {
  it('read like a sentence for every reason there is', () => {
    for (const code of Object.keys(problemStatus)) expect(reasonWords(code)).toMatch(/^[A-Z][a-zA-Z ,’-]+\.$/)
  })

  it('tell what nobody outside can have caused', () => {
    expect(mayBeOurs({ code: 'invalid_input' })).toBe(true)
    expect(mayBeOurs({ code: 'plan_limit' })).toBe(false)
  })
})
