export const problemStatus = {
  invalid_input: 400,
  invalid_credentials: 401,
  sign_in_required: 401,
  session_expired: 401,
  session_revoked: 401,
  payment_required: 402,
  plan_limit: 402,
  forbidden: 403,
  not_on_team: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_exists: 409,
  duplicate_application: 409,
  account_mismatch: 409,
  conflict: 409,
  not_allowed_now: 409,
  gone: 410,
  reset: 410,
  too_large: 413,
  unsupported_media_type: 415,
  key_reused: 422,
  cancelled: 422,
  app_too_old: 426,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof problemStatus

/** A newer server may give others. */
export type ReadProblemCode = ProblemCode | (string & {})

/** `message` is written for the person who reads it. */
export interface Problem {
  readonly code: ReadProblemCode
  readonly message: string
  readonly requestId: string
  /** It is shown after the message. */
  readonly advice?: string
  /** Maps field paths to complaints in the user's words. */
  readonly fields?: Readonly<Record<string, string>>
  /** A `conflict` carries the server's present document. */
  readonly current?: unknown
}

/** Judges only the shape, because a newer server gives reasons of its own. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, message } = value as Record<string, unknown>
  return typeof code === 'string' && code !== '' && typeof message === 'string'
}

export interface Refused {
  readonly refused: ProblemCode
  readonly message: string
}

/** The change is to be made, is fulfilled already, or is refused. */
export type Ruling = 'change' | 'already' | Refused
