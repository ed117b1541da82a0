import type { Knex } from 'knex'
import { maxListed, type AccountPage } from '#shared/admin/admin-account-calls.ts'
import { closeAccount, reopenAccount } from '../accounts/account-closing.ts'
import { findUser, lockUser } from '../accounts/user-store.ts'
import { signedIn } from '../calls/access.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { listMemberIds } from '../team/team-store.ts'
import type { Touched } from '../calls/touched.ts'
import { withTextDates } from '../db/column-names.ts'
import type { SubscriptionPlanRow, UserSubscriptionRow } from '../db/rows/billing-rows.ts'
import { revokeSessions } from '../http/session-cookies.ts'

export const adminAccountHandlers = {
  getAccount: async ({ db, now, params: { id } }) => {
    const user = await db('users')
      .where({ id })
      .first('id', 'username', 'email', 'organizationName', 'isAdmin', 'emailVerifiedAt', 'closedAt', 'createdAt')
    if (!user) throw noSuchAccount()
    const { emailVerifiedAt, ...account } = user
    return {
      ...withTextDates(account),
      emailConfirmed: emailVerifiedAt !== null,
      ...(await countsOf(db, id)),
      subscriptions: await subscriptionsOf(db, id, now),
      payments: await paymentsOf(db, id),
      events: await eventsOf(db, id),
    }
  },

  endAccountSessions: async ({ db, now, params: { id } }) => {
    if (!(await findUser(db, id))) throw noSuchAccount()
    await revokeSessions(db, { userId: id }, now)
    return undefined
  },

  closeAccount: async (call) => {
    const { db, now, params } = call
    if (params.id === signedIn(call).userId)
      throw new ProblemError('forbidden', 'This is your own account. Another admin can close it.')
    const user = await lockUser(db, params.id)
    if (!user) throw noSuchAccount()
    if (await closeAccount(db, user, now)) call.touch(...(await whatOthersSee(db, user.id)))
    return undefined
  },

  reopenAccount: async ({ db, params: { id }, touch }) => {
    const user = await lockUser(db, id)
    if (!user) throw noSuchAccount()
    if (await reopenAccount(db, user)) touch(...(await whatOthersSee(db, id)))
    return undefined
  },
} satisfies Partial<Handlers>

const noSuchAccount = () => new ProblemError('not_found', 'There is no such account.')

/** The account's events are locked, so that no other transaction decides anything about them at the same time. */
async function whatOthersSee(db: Knex, organizerId: number): Promise<Touched[]> {
  const events = await db('events').where({ organizerId }).orderBy('id').forNoKeyUpdate().select('id')
  const beacons: { id: number }[] = await db('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .where({ 'e.organizerId': organizerId, 'a.status': 'approved' })
    .orderBy('a.id')
    .select('a.id')
  const members = await listMemberIds(db, organizerId)
  return [
    ...events.map(({ id }) => ({ what: 'opening' as const, id, organizerId })),
    ...beacons.map(({ id }) => ({ what: 'application' as const, id, organizerId })),
    ...members.map((id) => ({ what: 'account' as const, id })),
  ]
}

async function countsOf(
  db: Knex,
  userId: number,
): Promise<Pick<AccountPage, 'lastSeenAt' | 'eventCount' | 'failedMails'>> {
  const { rows } = await db.raw<{ rows: { lastSeenAt: Date | null; eventCount: number; failedMails: number }[] }>(
    `select
       greatest((select max(last_seen_at) from sessions where user_id = u.id),
         (select max(seen_at) from known_browsers where user_id = u.id)) as last_seen_at,
       (select count(*)::int from events where organizer_id = u.id) as event_count,
       (select count(*)::int from mails where state = 'failed' and (user_id = u.id or organizer_id = u.id)) as failed_mails
     from (select ?::bigint as id) u`,
    [userId],
  )
  const [row] = rows
  if (!row) throw new Error('Counts have no row')
  return withTextDates(row)
}

type SubscriptionLine = Pick<UserSubscriptionRow, 'id' | 'status' | 'startDate' | 'endDate' | 'eventsUsed'> &
  Pick<SubscriptionPlanRow, 'eventLimit'> & { readonly planName: string }

async function subscriptionsOf(db: Knex, userId: number, now: Date): Promise<AccountPage['subscriptions']> {
  const rows: SubscriptionLine[] = await db('user_subscriptions as s')
    .join('subscription_plans as p', 'p.id', 's.planId')
    .where('s.userId', userId)
    .orderBy('s.id', 'desc')
    .limit(maxListed)
    .select('s.id', 's.status', 's.startDate', 's.endDate', 's.eventsUsed', 'p.name as planName', 'p.eventLimit')
  return rows.map(({ status, ...row }) => ({
    ...withTextDates(row),
    isRunning: status === 'active' && row.startDate <= now && (row.endDate === null || row.endDate > now),
  }))
}

type PaymentLine = Omit<AccountPage['payments'][number], 'createdAt'> & { readonly createdAt: Date }

async function paymentsOf(db: Knex, userId: number): Promise<AccountPage['payments']> {
  const rows: PaymentLine[] = await db('payments as y')
    .join('subscription_plans as p', 'p.id', 'y.planId')
    .where('y.userId', userId)
    .orderBy('y.id', 'desc')
    .limit(maxListed)
    .select('y.id', 'y.provider', 'y.status', 'y.amountCents', 'y.promoCode', 'y.createdAt', 'p.name as planName')
    .select(db.raw('y.refunded_cents + y.disputed_cents as taken_back_cents'))
  return rows.map(withTextDates)
}

async function eventsOf(db: Knex, userId: number): Promise<AccountPage['events']> {
  const { rows } = await db.raw<{ rows: AccountPage['events'] }>(
    `with own as (select * from events where organizer_id = ? order by start_date desc, id limit ?)
     select e.id, e.name, e.start_date, e.end_date, e.taken_down_at is not null as is_taken_down,
       (count(*) filter (where a.status = 'pending'))::int as pending,
       (count(*) filter (where a.status = 'approved'))::int as approved,
       (count(*) filter (where a.status = 'rejected'))::int as rejected
     from own e left join applications a on a.event_id = e.id
     group by e.id, e.name, e.start_date, e.end_date, e.taken_down_at order by e.start_date desc, e.id`,
    [userId, maxListed],
  )
  return rows
}
