import { problemStatus, type Problem, type ProblemCode } from '#shared/contract/problem.ts'

interface Details {
  readonly fields?: Readonly<Record<string, string>>
  readonly current?: unknown
  readonly retryAfterSeconds?: number
}

/** `message` is written for the person who reads it. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly details: Details

  constructor(code: ProblemCode, message: string, details: Details = {}) {
    super(message)
    this.name = 'ProblemError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return problemStatus[this.code]
  }

  toProblem(requestId: string): Problem {
    const { fields, current } = this.details
    return {
      code: this.code,
      message: this.message,
      requestId,
      ...(this.status < 500 ? {} : { advice: numberToTell(requestId) }),
      ...(fields ? { fields } : {}),
      ...(current === undefined ? {} : { current }),
    }
  }
}

/** The complaint stands beside the field too. */
export const refusedField = (code: ProblemCode, field: string, message: string) =>
  new ProblemError(code, message, { fields: { [field]: message } })

/** The log has the whole number; its beginning can be read out. */
const numberToTell = (requestId: string): string =>
  `If it goes on, tell the people who run this site this number: ${requestId.slice(0, 8)}`

/** knex puts the statement in front of pg's words. */
const lostConnection =
  /(^| - )(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired$)/
/** PostgreSQL is too busy, shutting down, or lets this transaction lose a race. */
const passingDatabaseErrors = /^(08...|40001|40P01|53...|55P03|57014|57P0[1-5]|25P03)$/
const passingNetworkErrors = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** What passes by itself becomes `unavailable`, everything unknown `internal`. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (error instanceof Error) {
    const { code } = error as Error & { code?: unknown }
    const passing =
      (typeof code === 'string' && (passingDatabaseErrors.test(code) || passingNetworkErrors.test(code))) ||
      error.name === 'KnexTimeoutError' ||
      lostConnection.test(error.message)
    if (passing)
      return new ProblemError('unavailable', 'The server is busy. Please try again.', { retryAfterSeconds: 1 })
  }
  return new ProblemError('internal', 'Something went wrong on our side.')
}
