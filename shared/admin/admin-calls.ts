import * as z from 'zod'
import type { Section } from '../contract/route.ts'

const adminStats = z.strictObject({
  totalUsers: z.int(),
  /** Users owning an event that has not ended. */
  activeUsers: z.int(),
  totalEvents: z.int(),
  /** Active and not past their end. */
  totalSubscriptions: z.int(),
  /** Cents of successful real payments; a demo or free plan counts 0. */
  totalRevenue: z.int(),
  promoCodeUses: z.int(),
})
export type AdminStats = z.output<typeof adminStats>

const adminAccount = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  organizationName: z.string().nullable(),
  /** The highest running plan. */
  subscription: z.strictObject({ planName: z.string() }).nullable(),
  eventCount: z.int(),
  createdAt: z.string(),
  /** Owns an event that has not ended. */
  isActive: z.boolean(),
})
export type AdminAccount = z.output<typeof adminAccount>

/** By number: never a name, an address or a typed text. */
const jobSubjects = ['event', 'application', 'mail', 'account', 'plan', 'payment'] as const

const strandedJob = z.strictObject({
  id: z.int(),
  kind: z.string(),
  /** `dead`: it failed for the last time. `overdue`: due for an hour, and no worker takes it. */
  standing: z.enum(['dead', 'overdue']),
  about: z.array(z.strictObject({ what: z.enum(jobSubjects), id: z.int() })),
  attempts: z.int(),
  lastError: z.string().nullable(),
  /** When it died, or was due. */
  since: z.string(),
})
export type StrandedJob = z.output<typeof strandedJob>

const strandedJobs = z.strictObject({
  /** The newest 200. */
  jobs: z.array(strandedJob),
  counts: z.array(z.strictObject({ kind: z.string(), dead: z.int(), overdue: z.int() })),
})
export type StrandedJobs = z.output<typeof strandedJobs>

/** Counted by account, call and reason, without what was sent. */
const refusedChange = z.strictObject({
  id: z.int(),
  /** `unknown` for a call that this server does not have. */
  route: z.string(),
  /** The call in words. */
  what: z.string(),
  code: z.string(),
  /** Null for visitors, who are counted together. */
  account: z.strictObject({ id: z.int(), username: z.string() }).nullable(),
  deviceName: z.string().nullable(),
  times: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** When an admin asked for another try; null after a new refusal. */
  askedAt: z.string().nullable(),
})
export type RefusedChange = z.output<typeof refusedChange>

const howMany = z.strictObject({ count: z.int() })

export const adminRoutes = {
  getAdminStats: { summary: 'The platform in numbers', access: 'admin', answer: adminStats },
  listAccounts: {
    summary: 'All accounts by id; with `limit` the first of those after the id `after`',
    access: 'admin',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    answer: z.array(adminAccount),
  },
  listStrandedJobs: {
    summary: 'Jobs that failed for the last time, and jobs that no worker takes',
    access: 'admin',
    answer: strandedJobs,
  },
  retryJob: {
    summary: 'Run a dead job again, or with `of: kind` up to 500 dead jobs of its kind; answers how many',
    access: 'admin',
    body: z.strictObject({ of: z.enum(['job', 'kind']) }),
    answer: howMany,
  },
  discardJob: {
    summary: 'Put a job aside that is dead or that no worker takes; answers how many',
    access: 'admin',
    answer: howMany,
  },
  listRefusedChanges: {
    summary: 'What phones were refused in the last 30 days, without what was put aside, the newest 200',
    access: 'admin',
    answer: z.array(refusedChange),
  },
  askForAnotherTry: {
    summary: 'Let the account’s phones tell their owner that another try is worth it',
    access: 'admin',
  },
  putRefusedChangeAside: { summary: 'Puts it aside as seen; it comes back when it happens again', access: 'admin' },
  listAskedTries: {
    summary: 'For which of the caller’s refused changes another try is worth it',
    access: 'user',
    answer: z.array(z.strictObject({ route: z.string(), code: z.string() })),
  },
} as const satisfies Section
