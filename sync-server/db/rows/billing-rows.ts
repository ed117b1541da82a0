export interface SubscriptionPlanRow {
  id: number
  name: string
  description: string
  tier: 'single' | 'multi' | 'unlimited'
  priceCents: number
  /** -1 means unlimited. */
  eventLimit: number
  /** 0 or less means no expiration. */
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
  /** What it gave; null while it is pending, when it failed, and when that is gone. */
  subscriptionId: number | null
  /** For `demo` and `free` nothing was paid, whatever the amount says. */
  provider: 'demo' | 'free' | 'stripe'
  providerReference: string | null
  status: 'paid' | 'pending' | 'failed'
  amountCents: number
  currency: string
  promoCode: string | null
  createdAt: Date
  /** Names it towards the provider; null where no money is asked for. */
  providerKey: string | null
  /** The provider's own word for where it stands, as last heard. */
  providerStatus: string | null
  /** Whether a card was ever tried. */
  attempted: boolean
  /** Holds a use of its promo code until it is paid or given up. */
  promoReserved: boolean
  /** When it is given up; null where no money is asked for. */
  expiresAt: Date | null
  /** When the provider was last asked about it. */
  askedAt: Date | null
  paidAt: Date | null
  /** When what it gave was taken back, because the money was. */
  revokedAt: Date | null
  refundedCents: number
  /** What the bank holds or has taken because the payment is disputed. */
  disputedCents: number
}

/** An event of the payment provider that has had its effect. */
export interface StripeEventRow {
  id: string
  type: string
  paymentId: number | null
  /** What came of it, for later questions. */
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
  /** Seeded by the demo: worth something only there. */
  isDemo: boolean
  createdAt: Date
}
