import type { Knex } from 'knex'
import type {
  AdminAccount,
  AdminStats,
  RefusedChange as RefusedChangeAnswer,
  StrandedJob as StrandedJobAnswer,
} from '#shared/admin/admin-calls.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { withTextDates } from '../db/column-names.ts'
import {
  countStrandedJobs,
  discardJobs,
  findDeadJob,
  listDeadJobsOf,
  listStrandedJobs,
  reviveJobs,
  type StrandedJob,
} from '../jobs/stranded-jobs.ts'
import { retryMail, sendMailKind } from '../mail/mail-store.ts'
import {
  askForAnotherTry,
  listAskedFor,
  listRefusedChanges,
  keepRefusedChangeSeen,
  type RefusedChange,
} from '../sync/refused-change-store.ts'

/** By the event's own time zone; takes one binding, the present instant. */
const upcoming = '(e.end_date >= (?::timestamptz at time zone e.time_zone)::date)'

async function readStats(db: Knex, now: Date): Promise<AdminStats> {
  const { rows } = await db.raw<{ rows: AdminStats[] }>(
    `select
       (select count(*)::int from users) as "totalUsers",
       (select count(distinct e.organizer_id)::int from events e where ${upcoming}) as "activeUsers",
       (select count(*)::int from events) as "totalEvents",
       (select count(*)::int from user_subscriptions
          where status = 'active' and (end_date is null or end_date > ?)) as "totalSubscriptions",
       (select coalesce(sum(greatest(amount_cents - refunded_cents - disputed_cents, 0)), 0)::bigint from payments
          where provider = 'stripe' and status = 'paid') as "totalRevenue",
       (select coalesce(sum(current_uses), 0)::int from promo_codes)
         - (select count(*)::int from payments p join promo_codes c on upper(c.code) = upper(p.promo_code)
              where p.promo_reserved) as "promoCodeUses"`,
    [now, now],
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
    `with page as (select * from users where id > ?::int order by id limit ?::int)
     select u.id, u.username, u.email, u.organization_name, u.created_at, plan.name as plan_name,
       coalesce(own.events, 0) as event_count, coalesce(own.upcoming, false) as is_active
     from page u
     left join lateral (
       select count(*)::int as events, bool_or${upcoming} as upcoming from events e where e.organizer_id = u.id
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

const shownAtMost = 200
const revivedAtOnce = 500

export const adminHandlers = {
  getAdminStats: async ({ db, now }) => await readStats(db, now),
  listAccounts: async ({ db, now, query }) => await listAccounts(db, now, query),
  // Running a job again does what its organizer or applicant had asked for; nothing here touches what belongs to them.
  listStrandedJobs: async ({ db }) => ({
    jobs: (await listStrandedJobs(db, shownAtMost)).map(presentJob),
    counts: await countStrandedJobs(db),
  }),
  retryJob: async ({ db, now, params, body }) => {
    const job = await findDeadJob(db, params.id)
    if (!job) return { count: 0 }
    const jobs = body.of === 'kind' ? await listDeadJobsOf(db, job.kind, revivedAtOnce) : [job]
    return { count: await runAgain(db, jobs, now) }
  },
  discardJob: async ({ db, params }) => ({ count: await discardJobs(db, [params.id]) }),
  listRefusedChanges: async ({ db }) => (await listRefusedChanges(db, shownAtMost)).map(presentRefusedChange),
  askForAnotherTry: async ({ db, params }) => {
    if (!(await askForAnotherTry(db, params.id))) throw notFound()
    return undefined
  },
  putRefusedChangeAside: async ({ db, params }) => {
    if (!(await keepRefusedChangeSeen(db, params.id))) throw notFound()
    return undefined
  },
  listAskedTries: async ({ db, caller }) => (caller ? await listAskedFor(db, caller.userId) : []),
} satisfies Partial<Handlers>

const notFound = () => new ProblemError('not_found', 'This is not listed any more.')

/** As when its organizer asks: the mail's log shows that try. */
async function runAgain(trx: Knex, jobs: readonly Pick<StrandedJob, 'id' | 'kind' | 'payload'>[], now: Date) {
  const replaced: number[] = []
  for (const { id, kind, payload } of jobs) {
    if (kind === sendMailKind && (await retryMail(trx, Number(payload['mailId']), now))) replaced.push(id)
  }
  await discardJobs(trx, replaced)
  const rest = jobs.flatMap(({ id }) => (replaced.includes(id) ? [] : [id]))
  return replaced.length + (await reviveJobs(trx, rest))
}

/** The payload's fields that may be shown. */
const subjects = {
  eventId: 'event',
  applicationId: 'application',
  mailId: 'mail',
  userId: 'account',
  planId: 'plan',
  paymentId: 'payment',
} as const

function presentJob({ id, kind, standing, payload, attempts, lastError, since }: StrandedJob): StrandedJobAnswer {
  const about = Object.entries(subjects).flatMap(([name, what]) => {
    const value = payload[name]
    return typeof value === 'number' && Number.isSafeInteger(value) ? [{ what, id: value }] : []
  })
  return { id, kind, standing, about, attempts, lastError, since: since.toISOString() }
}

/** The first clause of the call's summary, without its conditions. */
function wordsOf(route: string): string {
  if (!Object.hasOwn(routes, route)) return 'A change this server does not know'
  return routes[route as RouteName].summary.replace(/[:;.].*/, '')
}

function presentRefusedChange(row: RefusedChange): RefusedChangeAnswer {
  const isAsked = row.askedAt !== null && row.askedAt >= row.lastAt
  return {
    id: row.id,
    route: row.route,
    what: wordsOf(row.route),
    code: row.code,
    account: row.userId === null ? null : { id: row.userId, username: row.username ?? '' },
    deviceName: row.deviceName,
    times: row.times,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    askedAt: isAsked && row.askedAt ? row.askedAt.toISOString() : null,
  }
}
