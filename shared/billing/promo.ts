export function normalizePromoCode(text: string): string {
  return text.trim().toUpperCase()
}

export interface PromoTerms {
  readonly isActive: boolean
  readonly validFrom: Date
  /** Null means that it never ends. */
  readonly validUntil: Date | null
  readonly maxUses: number | null
  readonly currentUses: number
}

export const promoReasons = {
  unknown: 'This promo code is not valid.',
  notYet: 'This promo code is not valid yet.',
  expired: 'This promo code has expired.',
  usedUp: 'This promo code has been used up.',
  usedByAccount: 'You have used this promo code already.',
} as const

/** Returns null when it can be used. A code that is switched off looks like an unknown one. */
export function promoRefusal(promo: PromoTerms | undefined, now: Date): string | null {
  if (!promo?.isActive) return promoReasons.unknown
  if (promo.validFrom > now) return promoReasons.notYet
  if (promo.validUntil !== null && promo.validUntil <= now) return promoReasons.expired
  if (promo.maxUses !== null && promo.currentUses >= promo.maxUses) return promoReasons.usedUp
  return null
}
