import { promoReasons, promoRefusal } from '#shared/billing/promo.ts'
import { signedIn } from '../calls/signed-in.ts'
import type { Handler } from '../calls/handler.ts'
import { findPromo, hasUsedPromo } from './promo-store.ts'

/** Says what a promo code is worth now; uses nothing up. How often somebody may ask is limited, for codes can be guessed. */
export const validatePromoCode: Handler<'validatePromoCode'> = async (call) => {
  const { userId } = signedIn(call)
  await call.spend('promo-check', `user:${userId}`)
  const promo = await findPromo(call.db, call.body.code)
  const isUsed = promo !== undefined && (await hasUsedPromo(call.db, userId, call.body.code))
  const refusal = promoRefusal(promo, call.now) ?? (isUsed ? promoReasons.usedByAccount : null)
  if (!promo || refusal !== null) return { valid: false, discount: 0, message: refusal ?? '' }
  return { valid: true, discount: promo.discountValue, message: promo.description }
}
