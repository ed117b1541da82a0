import { describe, expect, it } from 'vitest'
import { asProblem, ProblemError } from './problems.ts'

describe('a thrown thing as a refusal', () => {
  it.each([
    new Error('Connection terminated unexpectedly'),
    new Error('BEGIN; - Connection terminated unexpectedly'),
    new Error('ROLLBACK - Client has encountered a connection error and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout expired'),
    new Error('select 1 - timeout expired'),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    Object.assign(new Error('deadlock detected'), { code: '40P01' }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }),
    Object.assign(new Error('select 1 - cannot access temporary or unlogged relations during recovery'), {
      code: '0A000',
    }),
  ])('asks to try again when the database was away: %s', (error) => {
    expect(asProblem(error)).toMatchObject({ code: 'unavailable', status: 503, details: { retryAfterSeconds: 1 } })
  })

  it.each([new Error('insert into users - value too long'), new TypeError('x is not a function'), 'a text', undefined])(
    'says no more than that something went wrong: %s',
    (error) => {
      expect(asProblem(error)).toMatchObject({
        code: 'internal',
        status: 500,
        message: 'Something went wrong on our side.',
      })
    },
  )

  it.each(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05'])(
    'is the sender’s own when PostgreSQL cannot take a value: %s',
    (code) => {
      const error = Object.assign(new Error('date/time field value out of range: "2026-02-31"'), { code })
      const problem = asProblem(error)
      expect(problem).toMatchObject({ code: 'invalid_input', status: 400 })
      expect(problem.message).not.toContain('2026-02-31')
    },
  )

  it('keeps a refusal as it is', () => {
    const refusal = new ProblemError('not_found', 'Event not found')
    expect(asProblem(refusal)).toBe(refusal)
  })
})

describe('the words of a refusal', () => {
  const requestId = '3f9a1c07-0000-4000-8000-000000000000'

  it('come with the number by which the log knows a failure of ours', () => {
    const problem = new ProblemError('unavailable', 'Please try again.').toProblem(requestId)
    const advice = 'If it goes on, tell the people who run this site this number: 3f9a1c07'
    expect(problem).toEqual({ code: 'unavailable', message: 'Please try again.', requestId, advice })
  })

  it('stand alone where a person can put it right', () => {
    const problem = new ProblemError('conflict', 'It was changed.').toProblem(requestId)
    expect(problem).toEqual({ code: 'conflict', message: 'It was changed.', requestId })
  })
})
