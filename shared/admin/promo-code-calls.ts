import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { requiredText } from '../record/values.ts'

const promoCode = z.strictObject({
  id: z.int(),
  code: z.string(),
  description: z.string(),
  percent: z.int(),
  /** Null means that it never ends. */
  validUntil: z.string().nullable(),
  /** Null means that it can be used without limit. */
  maxUses: z.int().nullable(),
  uses: z.int(),
  isActive: z.boolean(),
  createdAt: z.string(),
  /** Lists the newest 50 accounts whose plan was bought with it. */
  usedBy: z.array(z.strictObject({ username: z.string(), at: z.string() })),
})
export type PromoCode = z.output<typeof promoCode>

export const newPromoCodeBody = z.strictObject({
  code: z
    .string()
    .trim()
    .min(3, 'A code has at least 3 characters')
    .max(40, 'A code has at most 40 characters')
    .regex(/^[\w-]+$/, 'Letters, digits, hyphens and underscores only')
    .transform((code) => code.toUpperCase()),
  description: requiredText(120, 'Please say what it is for'),
  percent: z.int('Please enter a whole number').min(1, 'At least 1 percent').max(100, 'At most 100 percent'),
  /** The code is valid through this day (UTC). */
  lastDay: z.iso.date('Please choose a day').nullable(),
  maxUses: z.int('Please enter a whole number').min(1, 'At least once').max(1_000_000).nullable(),
})

export const promoCodeRoutes = {
  listPromoCodes: {
    summary: 'All promo codes with who used them, the newest first',
    access: 'admin',
    needsPlans: true,
    answer: z.array(promoCode),
  },
  createPromoCode: {
    summary: 'Create a promo code; the same one again changes nothing',
    access: 'admin',
    needsPlans: true,
    body: newPromoCodeBody,
    answer: promoCode,
    status: 201,
  },
  stopPromoCode: {
    summary: 'Stop a promo code; plans bought with it stay',
    access: 'admin',
    needsPlans: true,
    answer: promoCode,
  },
} as const satisfies Section
