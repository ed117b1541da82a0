import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { Knex } from 'knex'

const DAY_MS = 86_400_000
/** The longest life browsers give a cookie. */
export const KNOWN_DAYS = 400
/** A program that signs in again and again must not fill the table. */
const MAX_OF_AN_ACCOUNT = 50

/**
 * A device cookie (OWASP): strangers who guess at a password use up what unknown browsers share, never a known browser's
 * tries, so they cannot lock a person out. It opens nothing, and stays after signing out.
 */
const cookieName = (publicOrigin: string) => (publicOrigin.startsWith('https:') ? '__Host-known' : 'known')

const hashOf = (cookie: string) => createHash('sha256').update(cookie).digest('base64url')

/** Returns the hash of the cookie, or null without one. It says nothing about accounts. */
export function readBrowser(ctx: Koa.Context | Koa.ParameterizedContext, publicOrigin: string): string | null {
  const cookie = ctx.cookies.get(cookieName(publicOrigin), { signed: false })
  return cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? hashOf(cookie) : null
}

export async function rememberBrowser(
  ctx: Koa.Context | Koa.ParameterizedContext,
  db: Knex,
  publicOrigin: string,
  userId: number,
  now: Date,
): Promise<void> {
  const name = cookieName(publicOrigin)
  const brought = readBrowser(ctx, publicOrigin)
  const isOurs = brought !== null && (await db('known_browsers').where({ idHash: brought }).first('userId'))
  const cookie =
    (isOurs ? ctx.cookies.get(name, { signed: false }) : undefined) ?? randomBytes(32).toString('base64url')
  await db('known_browsers')
    .insert({ userId, idHash: hashOf(cookie), seenAt: now })
    .onConflict(['userId', 'idHash'])
    .merge(['seenAt'])
  const surplus = db('known_browsers')
    .where({ userId })
    .orderBy('seenAt', 'desc')
    .offset(MAX_OF_AN_ACCOUNT)
    .select('idHash')
  await db('known_browsers').where({ userId }).whereIn('idHash', surplus).del()
  ctx.cookies.set(name, cookie, {
    expires: new Date(now.getTime() + KNOWN_DAYS * DAY_MS),
    httpOnly: true,
    secure: publicOrigin.startsWith('https:'),
    sameSite: 'strict',
    overwrite: true,
    signed: false,
  })
}

/** Asks the same whether or not there is such an account. */
export async function isKnownBrowser(db: Knex, browser: string | null, email: string): Promise<boolean> {
  if (browser === null) return false
  const row = await db('known_browsers')
    .join('users', 'users.id', 'known_browsers.userId')
    .where({ idHash: browser })
    .whereRaw('lower(users.email) = lower(?)', [email])
    .first('idHash')
  return row !== undefined
}

/** After a password reset: a browser may be lost. */
export async function forgetBrowsers(trx: Knex, userId: number): Promise<void> {
  await trx('known_browsers').where({ userId }).del()
}
