import { createHash, randomBytes } from 'node:crypto'

/** A new token of 256 bits for an applicant's own page: nobody guesses one. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What is stored of a token: whoever reads the database cannot open an applicant's page. A token is looked up by its hash alone,
 * so that how long the look-up takes says nothing about the tokens there are.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
