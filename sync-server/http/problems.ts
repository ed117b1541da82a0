import { problemStatus, type Problem, type ProblemCode } from '#shared/api/problem.ts'

interface Details {
  readonly fields?: Readonly<Record<string, string>>
  readonly current?: unknown
  readonly retryAfterSeconds?: number
}

/** A refusal on its way to the caller. `message` is written for the person who reads it. */
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

  /** The refusal as the one error shape. */
  toProblem(requestId: string): Problem {
    const { fields, current } = this.details
    return {
      code: this.code,
      message: this.message,
      requestId,
      ...(fields ? { fields } : {}),
      ...(current === undefined ? {} : { current }),
    }
  }
}
