import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../../db/installation-secret.ts'

const secretName = 'unsubscribe'
const shape = /^(\d{1,9})\.([\w-]{43})$/

/**
 * The path at which a user turns the mails about new applications off, without signing in. What it carries does that and
 * nothing else, so it may stand in a path, where mail programs want it (RFC 8058).
 */
export async function unsubscribePath(db: Knex, userId: number): Promise<string> {
  return `/unsubscribe/${userId}.${signature(await getInstallationSecret(db, secretName), userId)}`
}

/** Whose token this is: the user's id; undefined when it is none of ours. */
export async function userOfUnsubscribeToken(db: Knex, token: string): Promise<number | undefined> {
  const [, id, signed] = shape.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const expected = signature(await getInstallationSecret(db, secretName), Number(id))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? Number(id) : undefined
}

const signature = (secret: string, userId: number) =>
  createHmac('sha256', secret).update(`new-applications:${userId}`).digest('base64url')
