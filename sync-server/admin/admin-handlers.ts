import { isUpcomingRow, mayBeUpcoming } from '../db/event-end.ts'
import type { Knex } from 'knex'
import type { AdminAccount, AdminStats, FailedJob as FailedJobAnswer } from '#shared/admin/admin-calls.ts'
import type { Handlers } from '../calls/handler.ts'
import { deletedPassword } from '../accounts/user-store.ts'
import { withTextDates } from '../db/column-names.ts'
import { discardJob, findFailedJob, listFailedJobs, reviveJob, type FailedJob } from '../jobs/failed-jobs.ts'
import { retryMail, sendMailKind } from '../mail/mail-store.ts'

/** Of deleted accounts with card payments an emptied row stays, which no one signs in to. */
const isThere = `u.password_hash <> '${deletedPassword}'`

const totalOf = (line: string) => `coalesce((select amount from summed where line = '${line}'), 0)`

async function readStats(db: Knex, now: Date): Promise<AdminStats> {
  const { rows } = await db.raw<{ rows: AdminStats[] }>(
    `with summed as (
       select line, sum(amount)::bigint as amount from daily_sums group by line
     ), emptied as (
       select id from users where password_hash = '${deletedPassword}'
     )
     select
       (${totalOf('users')} - (select count(*) from emptied))::int as "totalUsers",
       (select count(distinct e.organizer_id)::int from events e where ${mayBeUpcoming} and ${isUpcomingRow}) as "activeUsers",
       ${totalOf('events')}::int as "totalEvents",
       (select count(*)::int from user_subscriptions s where s.user_id not in (select id from emptied)
          and s.status = 'active' and (s.end_date is null or s.end_date > ?)) as "totalSubscriptions",
       ${totalOf('revenue')} as "totalRevenue",
       (select coalesce(sum(current_uses), 0)::int from promo_codes)
         - (select count(*)::int from payments p join promo_codes c on upper(c.code) = upper(p.promo_code)
              where p.promo_reserved) as "promoCodeUses"`,
    [now, now, now],
  )
  const [stats] = rows
  if (!stats) throw new Error('The statistics have no row')
  return stats
}

interface AccountLine extends Omit<AdminAccount, 'subscription' | 'createdAt'> {
  readonly createdAt: Date
  readonly planName: string | null
}

async function listAccounts(
  db: Knex,
  now: Date,
  { after = 0, limit = null }: { after?: number | undefined; limit?: number | null | undefined },
): Promise<AdminAccount[]> {
  const { rows } = await db.raw<{ rows: AccountLine[] }>(
    `with page as (select * from users u where id > ?::int and ${isThere} order by id limit ?::int)
     select u.id, u.username, u.email, u.organization_name, u.created_at, plan.name as plan_name,
       coalesce(own.events, 0) as event_count, coalesce(own.upcoming, false) as is_active
     from page u
     left join lateral (
       select count(*)::int as events, bool_or${isUpcomingRow} as upcoming from events e where e.organizer_id = u.id
     ) own on true
     left join lateral (
       select p.name from user_subscriptions s join subscription_plans p on p.id = s.plan_id
       where s.user_id = u.id and s.status = 'active' and s.start_date <= ? and (s.end_date is null or s.end_date > ?)
       order by array_position(array['single', 'multi', 'unlimited'], p.tier) desc, s.id limit 1
     ) plan on true
     order by u.id`,
    [after, limit, now, now, now],
  )
  return rows.map(({ planName, ...account }) => ({
    ...withTextDates(account),
    subscription: planName === null ? null : { planName },
  }))
}

/** The payload's numbers of rows, such as `eventId`, are all that is shown of it. */
function presentJob({ id, kind, payload, attempts, lastError, updatedAt }: FailedJob): FailedJobAnswer {
  const about = Object.entries(payload).flatMap(([name, value]) =>
    name.endsWith('Id') && Number.isSafeInteger(value) ? [`${name.slice(0, -2)} ${String(value)}`] : [],
  )
  return { id, kind, about: about.join(', '), attempts, lastError, failedAt: updatedAt.toISOString() }
}

export const adminHandlers = {
  getAdminStats: async ({ db, now }) => await readStats(db, now),
  listAccounts: async ({ db, now, query }) => await listAccounts(db, now, query),
  listFailedJobs: async ({ db }) => (await listFailedJobs(db, 100)).map(presentJob),
  retryJob: async ({ db, now, params: { id } }) => {
    const job = await findFailedJob(db, id)
    if (!job) return undefined
    // A failed mail gets a new job, as when its organizer asks, so that its log shows the try.
    if (job.kind === sendMailKind && (await retryMail(db, Number(job.payload['mailId']), now))) await discardJob(db, id)
    else await reviveJob(db, id)
    return undefined
  },
  discardJob: async ({ db, params }) => {
    await discardJob(db, params.id)
    return undefined
  },
} satisfies Partial<Handlers>
