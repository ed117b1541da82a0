import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../db/installation-secret.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'

const receiptSecret = 'application-receipt'

/**
 * The token for an applicant's own page, made of the application's id, the key of the request that sent it and a secret of this
 * installation. The same request has the same token for ever, also from a database that was restored to a time before it. A
 * request that comes with the token shows that it was taken.
 */
export async function tokenOf(db: Knex, id: number, key: string | null): Promise<string> {
  const secret = await getInstallationSecret(db, receiptSecret)
  return createHmac('sha256', secret).update(`application:${id}:${key}`).digest('base64url')
}

/**
 * What is stored of a token: a reader of the applications table cannot open an applicant's page. A token is looked up by its
 * hash alone, so that how long the look-up takes says nothing about the tokens there are.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const secretName = 'application-link'
const derived = /^(\d{1,12})\.([\w-]{43})(?:\.([\w-]{22}))?$/
const mailboxBytes = 16

/** What a link in a mail is made from. */
type Linked = Pick<ApplicationRow, 'id' | 'eventId' | 'email'>

/**
 * The token in the mails to an applicant. The one they were given at first is not kept, so this one is made of the
 * application's id and a secret of this installation, whenever it is needed. Its last part names the
 * address it was mailed to: it opens nothing, and shows that its bearer has read that mailbox.
 */
async function mailedToken(db: Knex, application: Linked): Promise<string> {
  const secret = await getInstallationSecret(db, secretName)
  const mailbox = mailboxProof(secret, application).toString('base64url')
  return `${application.id}.${signature(secret, application.id)}.${mailbox}`
}

/** Whether a token came by a mail to the address that the application it opens has now. */
export async function cameByMail(db: Knex, token: string, application: Linked): Promise<boolean> {
  const given = Buffer.from(derived.exec(token)?.[3] ?? '', 'base64url')
  if (given.length !== mailboxBytes) return false
  return timingSafeEqual(given, mailboxProof(await getInstallationSecret(db, secretName), application))
}

const mailboxProof = (secret: string, { id, email }: Pick<Linked, 'id' | 'email'>) =>
  createHmac('sha256', secret).update(`mailbox:${id}:${email.toLowerCase()}`).digest().subarray(0, mailboxBytes)

/** The path of an applicant's own page; the token stands behind the `#`, which no browser sends to a server. */
export async function ownPagePath(db: Knex, application: Linked): Promise<string> {
  return `/events/${application.eventId}/apply#application=${await mailedToken(db, application)}`
}

/** The application that a token of a mail opens; undefined when it is none of ours. */
export async function findByMailedToken(db: Knex, token: string): Promise<ApplicationRow | undefined> {
  const [, id, signed] = derived.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const row = await db('applications')
    .where({ id: Number(id) })
    .first()
  const secret = await getInstallationSecret(db, secretName)
  // Signed in any case, so that how long it takes does not tell which numbers there are.
  const expected = signature(secret, Number(id))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? row : undefined
}

const signature = (secret: string, id: number) =>
  createHmac('sha256', secret).update(`application:${id}`).digest('base64url')
