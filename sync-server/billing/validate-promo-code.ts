import { signedIn } from '../accounts/signed-in.ts'
import type { Handler } from '../http/handler.ts'
import { findPromo, whyNotUsable } from './promo-store.ts'

/** Says what a promo code is worth now; uses nothing up. How often somebody may ask is limited, for codes can be guessed. */
export const validatePromoCode: Handler<'validatePromoCode'> = async (call) => {
  await call.spend('promo-check', `user:${signedIn(call).userId}`)
  const promo = await findPromo(call.db, call.body.code)
  const refusal = whyNotUsable(promo, call.now)
  if (!promo || refusal !== null) return { valid: false, discount: 0, message: refusal ?? '' }
  return { valid: true, discount: promo.discount_value, message: promo.description }
}
