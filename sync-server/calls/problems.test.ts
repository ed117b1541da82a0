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

  it('keeps a refusal as it is', () => {
    const refusal = new ProblemError('not_found', 'Event not found')
    expect(asProblem(refusal)).toBe(refusal)
  })
})
