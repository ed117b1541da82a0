import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import { createSession } from 'koa-session'
import type { Knex } from 'knex'
import { FEED_CHANNEL } from '../feed/change-feed.ts'
import type { SignedOutReason } from '../calls/access.ts'
import type { Caller, Device } from '../calls/handler.ts'
import { readBrowser, rememberBrowser } from './known-browser.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 30 * DAY_MS
const ABSOLUTE_MS = 90 * DAY_MS
/** How stale `last_seen_at` may be: a write on every request would cost more than it tells. */
const TOUCH_MS = 600_000

/** What the session middleware finds out about a request. */
export interface SessionState {
  caller: Caller | null
  signedOut: SignedOutReason
  /** Which session's stream to end when it is revoked. */
  sessionHash: string | null
  /** The device named at sign-in, for calls that name none. */
  sessionDevice: Device | null
  /** Which browser this is, when somebody has signed in with it before. */
  browser: string | null
  rememberBrowser?: (userId: number) => Promise<void>
  /** Set only while signing in: the one moment a session row may come into being. */
  startingSession?: { readonly userId: number; readonly device: Device | null }
}

type SessionContext = Koa.ParameterizedContext<SessionState> & {
  session: { userId?: number; regenerate(): Promise<void> } | null
}

/** `__Host-` binds the cookie to this host and https; on plain http (localhost) browsers refuse that prefix. */
export function sessionCookieName(publicOrigin: string): string {
  return publicOrigin.startsWith('https:') ? '__Host-sid' : 'sid'
}

/** The cookie holds 32 random bytes; the database knows only their hash, so a copy of it signs nobody in. */
export function sessionHash(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex')
}

/** koa-session on PostgreSQL. Fills `ctx.state` with who is calling; no cookie is set before somebody signs in. */
export function sessionMiddleware(
  app: Koa,
  db: Knex,
  publicOrigin: string,
  now: () => Date,
): Koa.Middleware<SessionState> {
  const secure = publicOrigin.startsWith('https:')
  const session = createSession(
    {
      key: sessionCookieName(publicOrigin),
      maxAge: ABSOLUTE_MS,
      httpOnly: true,
      secure,
      sameSite: 'strict',
      signed: false,
      overwrite: true,
      // Rolling would bring a signed-out session back when two requests cross.
      rolling: false,
      renew: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: sessionStore(db, now),
    },
    app,
  )
  return async (ctx, next) => {
    ctx.state.caller = null
    ctx.state.signedOut = 'sign_in_required'
    ctx.state.sessionHash = null
    ctx.state.sessionDevice = null
    // TLS ends at the proxy in front; without this the library refuses to send a secure cookie.
    if (secure) ctx.cookies.secure = true
    ctx.state.browser = readBrowser(ctx, publicOrigin)
    ctx.state.rememberBrowser = (userId) => rememberBrowser(ctx, db, publicOrigin, userId, now())
    await session(ctx, next)
  }
}

interface FoundSession {
  user_id: number
  data: Record<string, unknown>
  device_id: string | null
  device_name: string | null
  last_seen_at: Date
  expires_at: Date
  absolute_expires_at: Date
  revoked_at: Date | null
  username: string
  is_admin: boolean
}

function sessionStore(db: Knex, now: () => Date) {
  return {
    async get(
      cookie: string,
      _maxAge: number,
      options: { ctx?: unknown },
    ): Promise<Record<string, unknown> | undefined> {
      const { state } = options.ctx as SessionContext
      const idHash = sessionHash(cookie)
      const row = (await db('sessions')
        .join('users', 'users.id', 'sessions.user_id')
        .where('sessions.id_hash', idHash)
        .first(
          'sessions.user_id',
          'sessions.data',
          'sessions.device_id',
          'sessions.device_name',
          'sessions.last_seen_at',
          'sessions.expires_at',
          'sessions.absolute_expires_at',
          'sessions.revoked_at',
          'users.username',
          'users.is_admin',
        )) as FoundSession | undefined
      const at = now()
      if (row?.revoked_at) {
        state.signedOut = 'session_revoked'
        return undefined
      }
      if (!row || row.expires_at <= at || row.absolute_expires_at <= at) {
        state.signedOut = 'session_expired'
        return undefined
      }
      state.caller = { userId: row.user_id, username: row.username, isAdmin: row.is_admin }
      state.sessionHash = idHash
      state.sessionDevice = row.device_id === null ? null : { id: row.device_id, name: row.device_name ?? '' }
      if (at.getTime() - row.last_seen_at.getTime() > TOUCH_MS) {
        const expiresAt = new Date(Math.min(at.getTime() + IDLE_MS, row.absolute_expires_at.getTime()))
        await db('sessions')
          .where({ id_hash: idHash, revoked_at: null })
          .update({ last_seen_at: at, expires_at: expiresAt })
      }
      return { userId: row.user_id }
    },

    async set(
      cookie: string,
      data: Record<string, unknown>,
      _maxAge: number,
      options: { ctx?: unknown },
    ): Promise<void> {
      const { state } = options.ctx as SessionContext
      const starting = state.startingSession
      if (!starting) {
        // Only ever an update: a late answer must not bring a signed-out session back.
        await db('sessions')
          .where({ id_hash: sessionHash(cookie), revoked_at: null })
          .update({ data: JSON.stringify(data) })
        return
      }
      delete state.startingSession
      const at = now()
      await db('sessions').insert({
        id_hash: sessionHash(cookie),
        user_id: starting.userId,
        data: JSON.stringify(data),
        device_id: starting.device?.id ?? null,
        device_name: starting.device?.name ?? null,
        created_at: at,
        last_seen_at: at,
        expires_at: new Date(at.getTime() + IDLE_MS),
        absolute_expires_at: new Date(at.getTime() + ABSOLUTE_MS),
      })
    },

    async destroy(cookie: string): Promise<void> {
      await revokeSessions(db, { id_hash: sessionHash(cookie) }, now())
    },
  }
}

/** Ends sessions at once, with their open streams and their alerts. `except` names one that goes on. */
export async function revokeSessions(
  db: Knex,
  which: { id_hash: string } | { user_id: number; except?: string | null },
  now: Date,
): Promise<void> {
  const wanted =
    'id_hash' in which
      ? db('sessions').where({ id_hash: which.id_hash })
      : db('sessions')
          .where({ user_id: which.user_id })
          .whereNot({ id_hash: which.except ?? '' })
  const ended = await wanted.whereNull('revoked_at').update({ revoked_at: now }).returning('id_hash')
  const hashes = ended.map(({ id_hash: hash }) => hash)
  // After the sessions are ended: a subscription that was just being stored is there by now.
  await db('push_subscriptions').whereIn('session_id_hash', hashes).del()
  for (const hash of hashes) await db.raw('select pg_notify(?, ?)', [FEED_CHANNEL, `session:${hash} 0`])
}

/** Starts a new session with a new id: whatever cookie the browser came with is worthless afterwards. */
export async function startSession(
  ctx: Koa.ParameterizedContext<SessionState>,
  userId: number,
  device: Device | null,
): Promise<void> {
  const { session } = ctx as SessionContext
  if (!session) throw new Error('The session middleware did not run')
  ctx.state.startingSession = { userId, device }
  session.userId = userId
  await session.regenerate()
  await ctx.state.rememberBrowser?.(userId)
}

/** Ends the session of this request and removes its cookie. */
export function endSession(ctx: Koa.ParameterizedContext<SessionState>): void {
  ;(ctx as SessionContext).session = null
}
