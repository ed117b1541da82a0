export interface SubscriptionPlanRow {
  id: number
  name: string
  description: string
  tier: 'single' | 'multi' | 'unlimited'
  priceCents: number
  /** -1 for unlimited. */
  eventLimit: number
  /** 0 or less for no expiration. */
  durationDays: number
}

export interface UserSubscriptionRow {
  id: number
  userId: number
  planId: number
  eventsUsed: number
  startDate: Date
  endDate: Date | null
  status: string
  promoCode: string | null
  createdAt: Date
}

export interface PaymentRow {
  id: number
  userId: number
  planId: number
  /** Null while pending, after a failure, and when what it gave is gone. */
  subscriptionId: number | null
  /** For `demo` and `free` nothing was paid, whatever the amount. */
  provider: 'demo' | 'free' | 'stripe'
  providerReference: string | null
  status: 'paid' | 'pending' | 'failed'
  amountCents: number
  currency: string
  promoCode: string | null
  createdAt: Date
  /** The name given to the provider; null without money. */
  providerKey: string | null
  providerStatus: string | null
  attempted: boolean
  /** Holds a use of its promo code until it is paid or given up. */
  promoReserved: boolean
  expiresAt: Date | null
  askedAt: Date | null
  paidAt: Date | null
  /** When its plan was taken back because the money was. */
  revokedAt: Date | null
  refundedCents: number
  /** Held or taken by the bank. */
  disputedCents: number
}

export interface StripeEventRow {
  id: string
  type: string
  paymentId: number | null
  outcome: string
  receivedAt: Date
}

export interface PromoCodeRow {
  id: number
  code: string
  description: string
  discountType: string
  /** Percent. */
  discountValue: number
  validFrom: Date
  validUntil: Date | null
  maxUses: number | null
  currentUses: number
  isActive: boolean
  /** Worth something only in the demo. */
  isDemo: boolean
  createdAt: Date
}
