import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../db/installation-secret.ts'

/** A new token of 256 bits for an applicant's own page: nobody guesses one. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What is stored of a token: whoever reads the applications cannot open an applicant's page. A token is looked up by its
 * hash alone, so that how long the look-up takes says nothing about the tokens there are.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const secretName = 'application-link'
const derived = /^(\d{1,9})\.([\w-]{43})$/

/**
 * The token in the mails to an applicant. The one they were given at first is not kept, so this one is made of the
 * application's number and a secret of this installation, whenever it is needed.
 */
export async function mailedToken(db: Knex, applicationId: number): Promise<string> {
  return `${applicationId}.${signature(await getInstallationSecret(db, secretName), applicationId)}`
}

/** The path of an applicant's own page; the token stands behind the `#`, which no browser sends to a server. */
export async function ownPagePath(
  db: Knex,
  { id, event_id: eventId }: { readonly id: number; readonly event_id: number },
): Promise<string> {
  return `/events/${eventId}/apply#application=${await mailedToken(db, id)}`
}

/** Whose token of a mail this is: the application's id; undefined when it is none of ours. */
export async function applicationOfMailedToken(db: Knex, token: string): Promise<number | undefined> {
  const [, id, signed] = derived.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const expected = signature(await getInstallationSecret(db, secretName), Number(id))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? Number(id) : undefined
}

const signature = (secret: string, applicationId: number) =>
  createHmac('sha256', secret).update(`application:${applicationId}`).digest('base64url')
