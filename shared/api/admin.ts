import * as z from 'zod'
import type { Section } from './route.ts'

/** The platform in six numbers. */
export const adminStats = z.strictObject({
  totalUsers: z.int(),
  /** Users owning an event that has not ended. */
  activeUsers: z.int(),
  totalEvents: z.int(),
  /** Active and not past their end. */
  totalSubscriptions: z.int(),
  /** Cents of real payments that succeeded; what a demo or a code gave away counts 0. */
  totalRevenue: z.int(),
  promoCodeUses: z.int(),
})
export type AdminStats = z.output<typeof adminStats>

export const adminAccount = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  organizationName: z.string().nullable(),
  /** The highest plan that runs now; null without one. */
  subscription: z.strictObject({ planName: z.string() }).nullable(),
  eventCount: z.int(),
  createdAt: z.string(),
  /** Owns an event that has not ended. */
  isActive: z.boolean(),
})
export type AdminAccount = z.output<typeof adminAccount>

export const adminRoutes = {
  getAdminStats: { summary: 'The platform in numbers', access: 'admin', answer: adminStats, status: 200 },
  listAccounts: {
    summary: 'All accounts by id; with `limit` the first of those after the id `after`',
    access: 'admin',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    answer: z.array(adminAccount),
    status: 200,
  },
} as const satisfies Section
