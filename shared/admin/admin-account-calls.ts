import * as z from 'zod'
import type { Section } from '../contract/route.ts'

export const maxListed = 200

/** An admin reads nothing that applicants or the organizer wrote for each other. */
const accountPage = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  organizationName: z.string().nullable(),
  isAdmin: z.boolean(),
  emailConfirmed: z.boolean(),
  /** From this moment it admits no sign-in; null means that the account is in use. */
  closedAt: z.string().nullable(),
  createdAt: z.string(),
  /** Any browser that is still known counts; null means that there is none. */
  lastSeenAt: z.string().nullable(),
  subscriptions: z.array(
    z.strictObject({
      id: z.int(),
      planName: z.string(),
      /** True while it is active, has begun and is not past its end. */
      isRunning: z.boolean(),
      startDate: z.string(),
      endDate: z.string().nullable(),
      eventsUsed: z.int(),
      /** -1 means unlimited. */
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
      /** Counts what was refunded or is held by the bank. */
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
  /** Counts mails to the account, and mails in its name to applicants. */
  failedMails: z.int(),
})
export type AccountPage = z.output<typeof accountPage>

export const adminAccountRoutes = {
  getAccount: {
    summary: `An account with its plans, payments and events, the newest ${maxListed} of each`,
    access: 'admin',
    answer: accountPage,
  },
  endAccountSessions: { summary: 'End all sessions of an account, with their alerts', access: 'admin' },
  closeAccount: {
    summary: "End an account's sessions, admit no other, hide its events and tell its owner; another's account only",
    access: 'admin',
  },
  reopenAccount: { summary: 'Admit sign-ins to a closed account again, and show its events', access: 'admin' },
} as const satisfies Section
