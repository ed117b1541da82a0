import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import { createSession } from 'koa-session'
import type { Knex } from 'knex'
import type { SessionRow, UserRow } from '../db/rows/account-rows.ts'
import { FEED_CHANNEL } from '../feed/change-feed.ts'
import type { SignedOutReason } from '../calls/access.ts'
import type { Caller, Device } from '../calls/handler.ts'
import { readBrowser, rememberBrowser } from './known-browser.ts'
import { runPrepared } from '../db/prepared.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 30 * DAY_MS
const ABSOLUTE_MS = 90 * DAY_MS
/** How stale `last_seen_at` may be: writing on every request would cost too much. */
const TOUCH_MS = 600_000

export interface SessionState {
  caller: Caller | null
  signedOut: SignedOutReason
  /** Its stream ends when it is revoked. */
  sessionHash: string | null
  /** This is the database's epoch, read together with the session; it is null without one. */
  epoch: string | null
  /** Calls that name no device use it. */
  sessionDevice: Device | null
  /** It is null where no user has signed in before. */
  browser: string | null
  rememberBrowser?: (userId: number) => Promise<void>
  /** Set only while signing in: the one moment a session row may come into being. */
  startingSession?: { readonly userId: number; readonly device: Device | null }
}

type SessionContext = Koa.ParameterizedContext<SessionState> & {
  session: { userId?: number; regenerate(): Promise<void> } | null
}

/** `__Host-` binds the cookie to this host and https; on plain http browsers refuse the prefix. */
export function sessionCookieName(publicOrigin: string): string {
  return publicOrigin.startsWith('https:') ? '__Host-sid' : 'sid'
}

/** The database knows only the hash of the cookie's 32 random bytes, so a copy of it opens no session. */
export function sessionHash(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex')
}

/** Puts koa-session on PostgreSQL. Fills `ctx.state`; sets no cookie before a user signs in. */
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
    ctx.state.epoch = null
    ctx.state.sessionDevice = null
    // TLS ends at the proxy in front; without this the library refuses to send a secure cookie.
    if (secure) ctx.cookies.secure = true
    ctx.state.browser = readBrowser(ctx, publicOrigin)
    ctx.state.rememberBrowser = (userId) => rememberBrowser(ctx, db, publicOrigin, userId, now())
    await session(ctx, next)
    addMaxAge(ctx.response, Date.now())
  }
}

/** Browsers read `Expires` by the answer's date, which a proxy may replace; `Max-Age` is a span and wins. */
function addMaxAge(response: Koa.Response, now: number): void {
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  if (cookies.length === 0) return
  const secondsUntil = (date: string) => Math.max(0, Math.round((Date.parse(date) - now) / 1000))
  response.set(
    'Set-Cookie',
    cookies.map((cookie) =>
      cookie.replace(/; expires=([^;]+)/i, (expires, date: string) => `${expires}; max-age=${secondsUntil(date)}`),
    ),
  )
}

type FoundSession = Omit<SessionRow, 'idHash' | 'id' | 'data' | 'createdAt'> &
  Pick<UserRow, 'username' | 'isAdmin' | 'closedAt'> & { readonly epoch: string }

const FIND_SESSION = `
select s.user_id, s.device_id, s.device_name, s.last_seen_at, s.expires_at, s.absolute_expires_at, s.revoked_at,
  u.username, u.is_admin, u.closed_at, (select epoch from sync_epoch) as epoch
from sessions s join users u on u.id = s.user_id
where s.id_hash = ?`

function sessionStore(db: Knex, now: () => Date) {
  return {
    async get(
      cookie: string,
      _maxAge: number,
      options: { ctx?: unknown },
    ): Promise<Record<string, unknown> | undefined> {
      const { state } = options.ctx as SessionContext
      const idHash = sessionHash(cookie)
      const [row] = await runPrepared<FoundSession>(db, 'find-session', FIND_SESSION, [idHash])
      const at = now()
      // A sign-in may have begun before the account was closed, and ended after.
      if (row?.revokedAt || row?.closedAt) {
        state.signedOut = 'session_revoked'
        return undefined
      }
      if (!row || row.expiresAt <= at || row.absoluteExpiresAt <= at) {
        state.signedOut = 'session_expired'
        return undefined
      }
      const { userId, username, isAdmin } = row
      state.caller = { userId, username, isAdmin, organizerId: userId, role: 'owner' }
      state.sessionHash = idHash
      state.epoch = row.epoch
      state.sessionDevice = row.deviceId === null ? null : { id: row.deviceId, name: row.deviceName ?? '' }
      if (at.getTime() - row.lastSeenAt.getTime() > TOUCH_MS) {
        const expiresAt = new Date(Math.min(at.getTime() + IDLE_MS, row.absoluteExpiresAt.getTime()))
        await db('sessions').where({ idHash, revokedAt: null }).update({ lastSeenAt: at, expiresAt })
      }
      return { userId: row.userId }
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
        // Only an update: a late answer must not bring a signed-out session back.
        await db('sessions')
          .where({ idHash: sessionHash(cookie), revokedAt: null })
          .update({ data: JSON.stringify(data) })
        return
      }
      delete state.startingSession
      const at = now()
      await db('sessions').insert({
        idHash: sessionHash(cookie),
        userId: starting.userId,
        data: JSON.stringify(data),
        deviceId: starting.device?.id ?? null,
        deviceName: starting.device?.name ?? null,
        createdAt: at,
        lastSeenAt: at,
        expiresAt: new Date(at.getTime() + IDLE_MS),
        absoluteExpiresAt: new Date(at.getTime() + ABSOLUTE_MS),
      })
    },

    async destroy(cookie: string): Promise<void> {
      await revokeSessions(db, { idHash: sessionHash(cookie) }, now())
    },
  }
}

/** `except` names one that goes on. */
export async function revokeSessions(
  db: Knex,
  which: { idHash: string } | { userId: number; except?: string | null },
  now: Date,
): Promise<void> {
  const wanted =
    'idHash' in which
      ? db('sessions').where({ idHash: which.idHash })
      : db('sessions')
          .where({ userId: which.userId })
          .whereNot({ idHash: which.except ?? '' })
  const ended = await wanted.whereNull('revokedAt').update({ revokedAt: now }).returning('idHash')
  const hashes = ended.map(({ idHash: hash }) => hash)
  // After the sessions are ended: a subscription that was just being stored is there by now.
  await db('push_subscriptions').whereIn('sessionIdHash', hashes).del()
  for (const hash of hashes) await db.raw('select pg_notify(?, ?)', [FEED_CHANNEL, `session:${hash} 0`])
}

/** The browser's earlier cookie is worthless afterwards. */
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

export function endSession(ctx: Koa.ParameterizedContext<SessionState>): void {
  ;(ctx as SessionContext).session = null
}
