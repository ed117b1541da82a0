import * as z from 'zod'
import type { Section } from '../contract/route.ts'

const adminStats = z.strictObject({
  totalUsers: z.int(),
  /** Counts users who own an event that has not ended. */
  activeUsers: z.int(),
  totalEvents: z.int(),
  /** Counts those that are active and not past their end. */
  totalSubscriptions: z.int(),
  /** Sums successful real payments in cents; a demo or free plan counts 0. */
  totalRevenue: z.int(),
  promoCodeUses: z.int(),
})
export type AdminStats = z.output<typeof adminStats>

const adminAccount = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  organizationName: z.string().nullable(),
  /** Names the highest plan that is running. */
  subscription: z.strictObject({ planName: z.string() }).nullable(),
  eventCount: z.int(),
  createdAt: z.string(),
  /** Owns an event that has not ended. */
  isActive: z.boolean(),
})
export type AdminAccount = z.output<typeof adminAccount>

const failedJob = z.strictObject({
  id: z.int(),
  kind: z.string(),
  /** Numbers alone, such as "mail 12, event 7". A name, an address or a typed text is never in it. */
  about: z.string(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  failedAt: z.string(),
})
export type FailedJob = z.output<typeof failedJob>

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
  listFailedJobs: {
    summary: 'The newest 100 jobs that failed for the last time',
    access: 'admin',
    answer: z.array(failedJob),
  },
  retryJob: { summary: 'Run a failed job again, with all its attempts', access: 'admin' },
  discardJob: { summary: 'Put a failed job aside for good', access: 'admin' },
} as const satisfies Section
