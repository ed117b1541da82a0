import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../db/installation-secret.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'

const receiptSecret = 'application-receipt'
const nonceBytes = 17
const proofBytes = 15

/**
 * A new token for an applicant's own page: 136 random bits, which nobody guesses, and a proof that this installation gave
 * it for an application to this event, also to a database that was brought back to a time before.
 */
export async function newToken(db: Knex, eventId: number): Promise<string> {
  const nonce = randomBytes(nonceBytes)
  return Buffer.concat([nonce, await proofOf(db, eventId, nonce)]).toString('base64url')
}

/** Whether this installation gave a token for an application to the event. */
export async function isOurToken(db: Knex, token: string, eventId: number): Promise<boolean> {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== nonceBytes + proofBytes || bytes.toString('base64url') !== token) return false
  return timingSafeEqual(bytes.subarray(nonceBytes), await proofOf(db, eventId, bytes.subarray(0, nonceBytes)))
}

async function proofOf(db: Knex, eventId: number, nonce: Uint8Array): Promise<Buffer> {
  const secret = await getInstallationSecret(db, receiptSecret)
  return createHmac('sha256', secret).update(`event:${eventId}:`).update(nonce).digest().subarray(0, proofBytes)
}

/**
 * What is stored of a token: whoever reads the applications cannot open an applicant's page. A token is looked up by its
 * hash alone, so that how long the look-up takes says nothing about the tokens there are.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const secretName = 'application-link'
const derived = /^(\d{1,12})\.([\w-]{43})(?:\.([\w-]{22}))?$/
const mailboxBytes = 16

/** What a link in a mail is made from. */
type Linked = Pick<ApplicationRow, 'id' | 'eventId' | 'origin' | 'signedByNumber' | 'email'>

/**
 * The token in the mails to an applicant. The one they were given at first is not kept, so this one is made of the
 * application's number, its origin and a secret of this installation, whenever it is needed. The origin keeps a link from
 * opening another person's page where a database that went back has given the number out again. Its last part names the
 * address it was mailed to: it opens nothing, and shows that its bearer has read that mailbox.
 */
async function mailedToken(db: Knex, application: Linked): Promise<string> {
  const secret = await getInstallationSecret(db, secretName)
  const mailbox = mailboxProof(secret, application).toString('base64url')
  return `${application.id}.${signature(secret, application)}.${mailbox}`
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
  const expected = signature(secret, row ?? { id: Number(id), origin: '', signedByNumber: false })
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? row : undefined
}

const signature = (secret: string, { id, origin, signedByNumber: byNumber }: Omit<Linked, 'eventId' | 'email'>) =>
  createHmac('sha256', secret)
    .update(byNumber ? `application:${id}` : `application:${id}:${origin}`)
    .digest('base64url')
