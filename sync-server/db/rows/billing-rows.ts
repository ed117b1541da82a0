export interface SubscriptionPlanRow {
  id: number
  name: string
  description: string
  tier: 'single' | 'multi' | 'unlimited'
  priceCents: number
  /** -1 means unlimited. */
  eventLimit: number
  /** 0 or less means that it does not expire. */
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
  /** It is null while pending, after a failure, and when what it gave is gone. */
  subscriptionId: number | null
  /** For `demo` and `free` nothing was paid, whatever the amount. */
  provider: 'demo' | 'free' | 'stripe'
  providerReference: string | null
  status: 'paid' | 'pending' | 'failed'
  amountCents: number
  currency: string
  promoCode: string | null
  createdAt: Date
  /** The provider knows the payment by this name; null means that no money is involved. */
  providerKey: string | null
  providerStatus: string | null
  attempted: boolean
  /** Holds a use of its promo code until it is paid or given up. */
  promoReserved: boolean
  expiresAt: Date | null
  askedAt: Date | null
  paidAt: Date | null
  /** Its plan was taken back at this time because the money was. */
  revokedAt: Date | null
  refundedCents: number
  /** The bank holds or has taken this amount. */
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
  /** This is a percentage. */
  discountValue: number
  validFrom: Date
  validUntil: Date | null
  maxUses: number | null
  currentUses: number
  isActive: boolean
  /** The code is worth something only in the demo. */
  isDemo: boolean
  createdAt: Date
}
