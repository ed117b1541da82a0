import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { LinkPurpose } from '#shared/accounts/account-link-calls.ts'
import { getInstallationSecret } from '../db/installation-secret.ts'
import type { AccountLinkRow } from '../db/rows/account-rows.ts'
import { ProblemError } from '../calls/problems.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A password is needed now; a sign-up may wait for a Monday. */
const linkLifetimeMs = {
  reset: HOUR_MS,
  verify: 7 * DAY_MS,
  change: DAY_MS,
  contact: DAY_MS,
} as const satisfies Record<LinkPurpose, number>

/** The token is derived, so that neither jobs nor mails hold what opens an account. */
async function tokenOf(db: Knex, { id, purpose }: Pick<AccountLinkRow, 'id' | 'purpose'>): Promise<string> {
  const secret = await getInstallationSecret(db, 'account-link')
  return createHmac('sha256', secret).update(`${purpose} ${id}`).digest('base64url')
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** 256 random bits; alone they open nothing. */
export const newLinkId = () => randomBytes(32).toString('base64url')

/** Ends earlier links of the same purpose. The caller holds the user's row, so that two calls do not cross. */
export async function issueLink(
  trx: Knex,
  { id = newLinkId(), ...link }: Pick<AccountLinkRow, 'userId' | 'purpose' | 'email'> & { readonly id?: string },
  now: Date,
): Promise<string> {
  const { userId, purpose } = link
  await endLinks(trx, userId, [purpose], now)
  await trx('account_links').insert({
    id,
    ...link,
    tokenHash: hashOf(await tokenOf(trx, { id, purpose })),
    createdAt: now,
    expiresAt: new Date(now.getTime() + linkLifetimeMs[purpose]),
  })
  return id
}

export async function endLinks(trx: Knex, userId: number, purposes: readonly LinkPurpose[], now: Date): Promise<void> {
  await trx('account_links')
    .where({ userId, usedAt: null, replacedAt: null })
    .whereIn('purpose', purposes)
    .update({ replacedAt: now })
}

export async function findLinkForMail(
  db: Knex,
  id: unknown,
  now: Date,
): Promise<{ readonly link: AccountLinkRow; readonly token: string } | undefined> {
  if (typeof id !== 'string') return undefined
  const link = await db('account_links').where({ id }).first()
  return link && whyNot(link, now) === undefined ? { link, token: await tokenOf(db, link) } : undefined
}

/** Finds ended links, too. It looks them up by hash, so that the timing tells nothing. */
export async function findLink(db: Knex, token: string): Promise<AccountLinkRow | undefined> {
  return await db('account_links')
    .where({ tokenHash: hashOf(token) })
    .first()
}

type Spent = 'used' | 'replaced' | 'expired'

const words: Record<Spent, string> = {
  used: 'This link has already been used.',
  replaced: 'This link no longer works: a newer one was sent, or it was cancelled.',
  expired: 'This link has expired.',
}

function whyNot(link: AccountLinkRow, now: Date): Spent | undefined {
  if (link.usedAt) return 'used'
  if (link.replacedAt) return 'replaced'
  return link.expiresAt <= now ? 'expired' : undefined
}

/** Throws, in words for the reader, when a link does nothing or is for another purpose. */
export function checkLink(
  link: AccountLinkRow | undefined,
  purposes: readonly LinkPurpose[],
  now: Date,
): asserts link is AccountLinkRow {
  if (!link || !purposes.includes(link.purpose))
    throw new ProblemError('not_found', 'We do not know this link. Please open it in the email once more.')
  const reason = whyNot(link, now)
  if (reason) throw new ProblemError('gone', words[reason])
}

/** In the transaction of the link's work: of several calls at once one succeeds, the others throw. */
export async function spendLink(trx: Knex, link: AccountLinkRow, now: Date): Promise<void> {
  const spent = await trx('account_links')
    .where({ id: link.id, usedAt: null, replacedAt: null })
    .where('expiresAt', '>', now)
    .update({ usedAt: now })
  if (spent === 1) return
  checkLink(await trx('account_links').where({ id: link.id }).first(), [link.purpose], now)
  throw new ProblemError('gone', words.used)
}
