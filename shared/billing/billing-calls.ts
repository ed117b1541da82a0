import * as z from 'zod'
import { normalizePromoCode } from './promo.ts'
import type { Section } from '../contract/route.ts'

const promoCodeInput = z
  .string({ error: 'Required' })
  .transform(normalizePromoCode)
  .pipe(z.string().min(1, 'Required').max(40, 'Please keep this under 40 characters'))

const plan = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  price: z.int(),
  eventLimit: z.int(),
  durationDays: z.int(),
})
export type Plan = z.output<typeof plan>

/** The replica's `account` document has the same shape. */
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
  /** The last subscription with an event left ends at this time. It is absent without one, or when it never ends. */
  canCreateUntil: z.string().optional(),
})
export type SubscriptionStatus = z.output<typeof subscriptionStatus>

const billingMode = z.strictObject({
  /** `off`: there are no plans. */
  mode: z.enum(['demo', 'live', 'off']),
  /** This is the card payment provider's key; null means that no card is charged. */
  publishableKey: z.string().nullable(),
})
export type BillingMode = z.output<typeof billingMode>

const promoValidation = z.strictObject({
  valid: z.boolean(),
  /** This is a percentage, and 0 for an invalid code. */
  discount: z.int().min(0).max(100),
  /** Says what the code is for, or why it is not valid. */
  message: z.string(),
})

const planChoice = z.strictObject({
  planId: z.int().min(1).max(2_147_483_647),
  promoCode: promoCodeInput.optional(),
})

/** Was, or would have been, charged. */
const billingEntry = z.strictObject({
  id: z.int(),
  planName: z.string(),
  /** This is an ISO instant. */
  date: z.string(),
  promoCode: z.string().nullable(),
  /** The amount is in cents. */
  amount: z.int(),
  status: z.enum(['paid', 'pending', 'failed']),
  /** Counts cents, and is absent when none were. */
  refunded: z.int().optional(),
  /** The bank keeps the money for now or for good. */
  disputed: z.literal(true).optional(),
})
export type BillingEntry = z.output<typeof billingEntry>

const billingHistory = z.strictObject({
  /** It is true for made-up entries, which a demo shows while there are no real ones. */
  sample: z.boolean(),
  entries: z.array(billingEntry),
})
export type BillingHistory = z.output<typeof billingHistory>

export const billingRoutes = {
  getSubscription: {
    summary: "The caller's plan and whether an event can be created",
    access: 'user',
    needsPlans: true,
    answer: subscriptionStatus,
  },
  listPlans: {
    summary: 'The plans on offer',
    access: 'anyone',
    needsPlans: true,
    answer: z.array(plan),
  },
  getBillingMode: {
    summary: 'Whether plans are given away, charged or none here, and the public key of the card payment provider',
    access: 'anyone',
    answer: billingMode,
  },
  validatePromoCode: {
    summary: 'What a promo code is worth; an unusable one answers valid: false and why',
    access: 'user',
    needsPlans: true,
    body: z.strictObject({ code: promoCodeInput }),
    answer: promoValidation,
  },
  createSubscription: {
    summary: 'Activate a plan that costs nothing: in demo mode, or with a promo code that makes it free; else 402',
    access: 'user',
    needsPlans: true,
    body: planChoice,
    answer: subscriptionStatus,
    isKeyed: true,
  },
  createPaymentIntent: {
    summary: 'Begin to pay for a plan; one that costs nothing is active at once',
    access: 'user',
    needsPlans: true,
    body: planChoice,
    answer: z.strictObject({
      clientSecret: z.string().nullable(),
      freeSubscription: z.boolean(),
      /** No card is charged: `createSubscription` activates the plan. */
      demo: z.boolean(),
      /** The amount is in cents. */
      amount: z.int(),
      /**
       * Of `clientSecret`'s payment, absent without one: `open` = a card may be charged; `processing` = with the bank,
       * not to be paid again; `paid` = paid before, the plan is active.
       */
      payment: z.enum(['open', 'processing', 'paid']).optional(),
    }),
    isKeyed: true,
  },
  getBillingHistory: {
    summary: "The caller's payments, newest first",
    access: 'user',
    needsPlans: true,
    answer: billingHistory,
  },
} as const satisfies Section
