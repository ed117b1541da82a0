import * as z from 'zod'
import type { Section } from './route.ts'

export const plan = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  price: z.int(),
  eventLimit: z.int(),
  durationDays: z.int(),
})
export type Plan = z.output<typeof plan>

/** The answer of GET /api/user/subscription, also the `account` document of the replica. */
export const subscriptionStatus = z.strictObject({
  subscription: z
    .strictObject({
      id: z.int(),
      planId: z.int(),
      status: z.string(),
      eventsUsed: z.int(),
      startDate: z.string(),
      endDate: z.string().nullable(),
      promoCode: z.string().nullable(),
    })
    .nullable(),
  plan: plan.nullable(),
  canCreateEvent: z.strictObject({ canCreate: z.boolean(), reason: z.string().nullable() }),
})
export type SubscriptionStatus = z.output<typeof subscriptionStatus>

export const billingRoutes = {
  getSubscription: {
    summary: "The caller's plan and whether an event can be created",
    access: 'user',
    answer: subscriptionStatus,
    status: 200,
  },
  listPlans: { summary: 'The plans on offer', access: 'anyone', answer: z.array(plan), status: 200 },
} as const satisfies Section
