import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../db/installation-secret.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'

const receiptSecret = 'application-receipt'

/**
 * Made of the application's id, its request's key and an installation secret: a repeated request has the same token,
 * also after a restore, and by bringing it shows that it was taken.
 */
export async function tokenOf(db: Knex, id: number, key: string | null): Promise<string> {
  const secret = await getInstallationSecret(db, receiptSecret)
  return createHmac('sha256', secret).update(`application:${id}:${key}`).digest('base64url')
}

/** A reader of the table cannot open an applicant's page, and the look-up's timing is harmless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const secretName = 'application-link'
const derived = /^(\d{1,12})\.([\w-]{43})(?:\.([\w-]{22}))?$/
const mailboxBytes = 16

type Linked = Pick<ApplicationRow, 'id' | 'eventId' | 'email' | 'statusTokenHash'>

/**
 * The first token is not kept, so mails carry one made of the application's id, the hash of its first token and an
 * installation secret: after a restore another application under the id has another one. Its last part names the mailed
 * address: it only shows that its bearer has read that mailbox.
 */
async function mailedToken(db: Knex, application: Linked): Promise<string> {
  const secret = await getInstallationSecret(db, secretName)
  const mailbox = mailboxProof(secret, application).toString('base64url')
  return `${application.id}.${signature(secret, application)}.${mailbox}`
}

/** Tells whether the token came by a mail to the application's present address. */
export async function cameByMail(db: Knex, token: string, application: Linked): Promise<boolean> {
  const given = Buffer.from(derived.exec(token)?.[3] ?? '', 'base64url')
  if (given.length !== mailboxBytes) return false
  return timingSafeEqual(given, mailboxProof(await getInstallationSecret(db, secretName), application))
}

const mailboxProof = (secret: string, { id, email }: Pick<Linked, 'id' | 'email'>) =>
  createHmac('sha256', secret).update(`mailbox:${id}:${email.toLowerCase()}`).digest().subarray(0, mailboxBytes)

/** The token is behind the `#`, which no browser sends to a server. */
export async function ownPagePath(db: Knex, application: Linked): Promise<string> {
  return `/events/${application.eventId}/apply#application=${await mailedToken(db, application)}`
}

/** Returns undefined when the token is none of ours. */
export async function findByMailedToken(db: Knex, token: string): Promise<ApplicationRow | undefined> {
  const [, id, signed] = derived.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const row = await db('applications')
    .where({ id: Number(id) })
    .first()
  const secret = await getInstallationSecret(db, secretName)
  // The signature is always computed, so that the timing does not reveal which ids exist.
  const expected = signature(secret, row ?? { id: Number(id), statusTokenHash: '' })
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? row : undefined
}

const signature = (secret: string, { id, statusTokenHash }: Pick<Linked, 'id' | 'statusTokenHash'>) =>
  createHmac('sha256', secret).update(`application:${id}:${statusTokenHash}`).digest('base64url')
