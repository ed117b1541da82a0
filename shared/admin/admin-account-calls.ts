import * as z from 'zod'
import type { Section } from '../contract/route.ts'

export const mostListed = 200

/** Nothing that applicants or the organizer wrote for each other. */
const accountPage = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  organizationName: z.string().nullable(),
  isAdmin: z.boolean(),
  emailConfirmed: z.boolean(),
  /** Since when it admits no sign-in; null for an account in use. */
  closedAt: z.string().nullable(),
  createdAt: z.string(),
  /** In any browser that is still known; null for none. */
  lastSeenAt: z.string().nullable(),
  subscriptions: z.array(
    z.strictObject({
      id: z.int(),
      planName: z.string(),
      /** Active, begun and not past its end. */
      isRunning: z.boolean(),
      startDate: z.string(),
      endDate: z.string().nullable(),
      eventsUsed: z.int(),
      /** -1 for unlimited. */
      eventLimit: z.int(),
    }),
  ),
  payments: z.array(
    z.strictObject({
      id: z.int(),
      planName: z.string(),
      provider: z.enum(['demo', 'free', 'stripe']),
      status: z.enum(['paid', 'pending', 'failed']),
      amountCents: z.int(),
      /** Refunded, or held by the bank. */
      takenBackCents: z.int(),
      promoCode: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
  eventCount: z.int(),
  events: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      startDate: z.string(),
      endDate: z.string(),
      isTakenDown: z.boolean(),
      pending: z.int(),
      approved: z.int(),
      rejected: z.int(),
    }),
  ),
  /** To the account, or in its name to applicants. */
  failedMails: z.int(),
})
export type AccountPage = z.output<typeof accountPage>

export const adminAccountRoutes = {
  getAccount: {
    summary: `An account with its plans, payments and events, the newest ${mostListed} of each`,
    access: 'admin',
    answer: accountPage,
  },
} as const satisfies Section
