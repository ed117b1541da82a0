import type { Knex } from 'knex'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { DEMO_LOCK, demoPassword } from '../db/seeds/seed-demo.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { cancelMails } from '../mail/mail-store.ts'
import { recordChanges, type Change } from '../feed/change-feed.ts'
import { accountChange } from '../billing/account-document.ts'
import { endLinks } from '../accounts/account-links.ts'
import { deleteAccount } from './delete-account.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { findUserByEmail } from '../accounts/user-store.ts'

export interface DemoRows {
  readonly emails: readonly string[]
  readonly promoCodes: number
}

/** In front of a closed account's password hash, so that no password matches anywhere. */
const closedPrefix = 'closed '

/**
 * For an installation that is no demo or that others can reach: demo accounts admit no sign-in, promo codes are
 * worthless, events are hidden. Only a command undoes it. Idempotent. Answers what is there.
 */
export async function closeDemo(db: Knex, now: Date): Promise<DemoRows> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    const accounts = await listDemoUsers(trx)
    for (const { id } of accounts) {
      await trx('users')
        .where({ id, closedAt: null })
        .update({ closedAt: now, isAdmin: false, passwordHash: trx.raw('? || password_hash', [closedPrefix]) })
      await revokeSessions(trx, { userId: id }, now)
      await endLinks(trx, id, ['reset', 'verify', 'change'], now)
    }
    const promoCodes = await trx('promo_codes').where({ isDemo: true }).update({ isActive: false })
    const ids = accounts.map(({ id }) => id)
    const eventIds = await trx('events').whereIn('organizerId', ids).orderBy('id').forNoKeyUpdate().pluck('id')
    const waiting: string[] = await trx('mails')
      .where((either) => void either.whereIn('userId', ids).orWhereIn('eventId', eventIds))
      .whereIn('state', ['held', 'queued'])
      .pluck('key')
    await cancelMails(trx, waiting)
    await recordChanges(trx, await whatThePublicSees(trx, ids))
    return { emails: accounts.map(({ email }) => email), promoCodes }
  })
}

/** Accounts made on a server that was no demo. Beside one of them there is no demo. */
export async function countLiveAccounts(db: Knex): Promise<number> {
  const live: { count: number }[] = await db('users').where({ madeLive: true }).select(db.raw('count(*)::int as count'))
  return live[0]?.count ?? 0
}

/** Undoes `closeDemo`. Answers the opened accounts, or how many live ones prevent a demo. */
export async function openDemo(db: Knex, now: Date): Promise<{ opened: string[] } | { liveAccounts: number }> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    const liveAccounts = await countLiveAccounts(trx)
    if (liveAccounts > 0) return { liveAccounts }
    const closed = (await listDemoUsers(trx)).filter((user) => user.closedAt !== null)
    await trx('promo_codes').where({ isDemo: true, isActive: false }).update({ isActive: true })
    for (const user of closed) {
      const passwordHash = withoutPrefix(user.passwordHash)
      await trx('users')
        .where({ id: user.id })
        .update({ closedAt: null, isAdmin: user.demoRole === 'admin', passwordHash })
    }
    await recordChanges(trx, await showing(trx, closed, now))
    return { opened: closed.map(({ email }) => email) }
  })
}

export async function findClosedDemo(db: Knex): Promise<DemoRows> {
  const closed = (await listDemoUsers(db)).filter((user) => user.closedAt !== null)
  const codes = await db('promo_codes').where({ isDemo: true, isActive: false }).select('id')
  return { emails: closed.map(({ email }) => email), promoCodes: codes.length }
}

async function whatThePublicSees(trx: Knex.Transaction, userIds: readonly number[]): Promise<Change[]> {
  // Locked, so that no other transaction decides anything about them meanwhile.
  const events = await trx('events')
    .whereIn('organizerId', userIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id', 'organizerId')
  const applications: { id: number; organizerId: number }[] = await trx('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .whereIn('e.organizerId', userIds)
    .select('a.id', 'e.organizerId')
  const toThePublic = { isForOrganizer: false }
  return [
    ...(await changesOfEvents(trx, events, toThePublic)).values(),
    ...(await changesOfApplications(trx, applications, toThePublic)).values(),
  ].flat()
}

async function showing(trx: Knex.Transaction, users: readonly UserRow[], now: Date): Promise<Change[]> {
  const ids = users.map(({ id }) => id)
  const accounts: Change[] = []
  for (const id of ids) accounts.push(await accountChange(trx, id, now))
  return [...accounts, ...(await whatThePublicSees(trx, ids))]
}

const withoutPrefix = (passwordHash: string) =>
  passwordHash.startsWith(closedPrefix) ? passwordHash.slice(closedPrefix.length) : passwordHash

async function listDemoUsers(db: Knex): Promise<UserRow[]> {
  return await db('users').whereNotNull('demoRole').orderBy('id')
}

export async function listOpenDemoEmails(db: Knex): Promise<string[]> {
  return (await listDemoUsers(db)).filter((user) => user.closedAt === null).map(({ email }) => email)
}

export interface RemovedDemo {
  readonly accounts: number
  readonly events: number
  readonly applications: number
  readonly promoCodes: number
}

/** Also all that the accounts have, and the promo codes. Sends no mail. */
export async function removeDemo(db: Knex, now: Date): Promise<RemovedDemo> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    const removed = { accounts: 0, events: 0, applications: 0 }
    for (const { id } of await listDemoUsers(trx)) {
      const deleted = await deleteAccount(trx, id, { now, tellApplicants: false })
      removed.accounts += 1
      removed.events += deleted.events
      removed.applications += deleted.applications
    }
    return { ...removed, promoCodes: await trx('promo_codes').where({ isDemo: true }).del() }
  })
}

export type Kept = 'kept' | 'kept, needs a new password' | 'unknown' | 'only the demo’s'

/**
 * Makes a demo account ordinary, without admin rights. With its published password it stays closed until its owner chooses
 * another by mail; where no mail arrives (example.com, RFC 2606) it stays the demo's.
 */
export async function keepDemoAccount(
  db: Knex,
  email: string,
  passwords: Pick<Passwords, 'verify'>,
  now: Date,
): Promise<Kept> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    const user = await findUserByEmail(trx, email)
    if (!user || user.demoRole === null) return 'unknown'
    const hash = withoutPrefix(user.passwordHash)
    const isPublished = await passwords.verify(hash, demoPassword, 'this command')
    if (isPublished && user.email.toLowerCase().endsWith('@example.com')) return 'only the demo’s'
    await trx('users')
      .where({ id: user.id })
      .update({
        demoRole: null,
        madeLive: true,
        closedAt: null,
        isAdmin: false,
        passwordHash: isPublished ? closedPrefix + hash : hash,
      })
    await recordChanges(trx, await showing(trx, [user], now))
    return isPublished ? 'kept, needs a new password' : 'kept'
  })
}
