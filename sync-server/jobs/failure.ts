import type { Failure } from './job-queue.ts'

/** A failure that names the earliest moment for another try, such as a service's Retry-After. */
export class RetryLater extends Error {
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.name = 'RetryLater'
    this.afterMs = afterMs
  }
}

/** A failure that no other try can mend, such as a payload that makes no sense: the job is dead at once. */
export class GiveUp extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GiveUp'
  }
}

/** What is written down about what a task threw. */
export function failureOf(error: unknown): Failure {
  return {
    text: failureText(error),
    retryAfterMs: error instanceof RetryLater ? error.afterMs : 0,
    isFinal: error instanceof GiveUp,
  }
}

/**
 * A failure in words that an operator may read. What services and libraries say may repeat whom a job was about, so of
 * theirs only codes are kept; of our own words everything that looks like a value goes.
 */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'something was thrown that is no error'
  const { code, responseCode, constraint } = error as Error & Record<'code' | 'responseCode' | 'constraint', unknown>
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code))
    return `the database answered ${code}${typeof constraint === 'string' ? ` (${constraint})` : ''}`
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return `${error.name} ${code}`
  return withoutValues(error.message)
}

const longest = 200

/** A text without addresses, quoted values, paths of links and long numbers, on one line of at most 200 characters. */
export function withoutValues(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]+/gi, '$1…')
    .replace(/<[^<>]*>/g, '<…>')
    .replace(/[^\s"'<>]*@[^\s"'<>]+/g, '…')
    .replace(/"[^"]*"?|“[^”]*”?|`[^`]*`?|(?<!\p{L})'[^']*'?/gu, '"…"')
    .replace(/\+?\d[\d ().-]{5,}\d/g, '…')
    .trim()
    .slice(0, longest)
}
