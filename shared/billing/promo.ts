/** A promo code as a person types it: case and the blanks around it do not matter. */
export function normalizePromoCode(text: string): string {
  return text.trim().toUpperCase()
}

/** The parts of a promo code that decide whether it may be used. */
export interface PromoTerms {
  readonly isActive: boolean
  readonly validFrom: Date
  /** null: for ever. */
  readonly validUntil: Date | null
  /** null: as often as anybody likes. */
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

/** Why a promo code cannot be used now; null when it can. One that is switched off looks like one that never was. */
export function promoRefusal(promo: PromoTerms | undefined, now: Date): string | null {
  if (!promo?.isActive) return promoReasons.unknown
  if (promo.validFrom > now) return promoReasons.notYet
  if (promo.validUntil !== null && promo.validUntil <= now) return promoReasons.expired
  if (promo.maxUses !== null && promo.currentUses >= promo.maxUses) return promoReasons.usedUp
  return null
}
