import { problemStatus, type Problem, type ProblemCode } from '#shared/contract/problem.ts'

interface Details {
  readonly fields?: Readonly<Record<string, string>>
  readonly current?: unknown
  readonly retryAfterSeconds?: number
}

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

export const refusedField = (code: ProblemCode, field: string, message: string) =>
  new ProblemError(code, message, { fields: { [field]: message } })

const numberToTell = (requestId: string): string =>
  `If it goes on, tell the people who run this site this number: ${requestId.slice(0, 8)}`

/** knex puts the statement in front of pg's words. */
const lostConnection =
  /(^| - )(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired$)/
/** PostgreSQL is busy, shuts down, lets a transaction lose a race, or is a standby. */
const passingDatabaseErrors = /^(08...|25006|25P03|40001|40P01|53...|55P03|57014|57P0[1-5])$/
/** A standby says this about unlogged tables. */
const standby = / during recovery$/
const passingNetworkErrors = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** Names the cause of a trouble that passes; everything else is undefined. */
export function passingTroubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, name, message } = error as Error & { code?: unknown }
  if (typeof code === 'string' && (passingDatabaseErrors.test(code) || passingNetworkErrors.test(code))) return code
  if (name === 'KnexTimeoutError') return name
  return (lostConnection.exec(message) ?? standby.exec(message))?.at(-1)
}

/** Finds the SQLSTATE of a value that PostgreSQL cannot take, such as February 31. */
export function unreadableValueOf(error: unknown): string | undefined {
  const { code } = (error instanceof Error ? error : {}) as { code?: unknown }
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code) ? code : undefined
}

export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (passingTroubleOf(error) !== undefined)
    return new ProblemError('unavailable', 'The server is busy. Please try again.', { retryAfterSeconds: 1 })
  if (unreadableValueOf(error) !== undefined)
    return new ProblemError('invalid_input', 'One of these values cannot be right. Please check them and try again.')
  return new ProblemError('internal', 'Something went wrong on our side.')
}
