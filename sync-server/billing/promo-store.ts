import type { Knex } from 'knex'
import type { PromoCodeRow } from '../db/rows/billing-rows.ts'

/** `code` is normalised. */
export async function findPromo(db: Knex, code: string): Promise<PromoCodeRow | undefined> {
  return await db('promo_codes').whereRaw('upper(code) = ?', [code]).first()
}

/**
 * Counts reserved and refunded uses too: each account uses a code once. The user must be locked (`lockUser`), so that
 * the second of two orders sees the first.
 */
export async function hasUsedPromo(db: Knex, userId: number, code: string): Promise<boolean> {
  const row = await db('payments')
    .where({ userId })
    .whereRaw('upper(promo_code) = ?', [code])
    .where((query) => void query.where({ status: 'paid' }).orWhere({ promoReserved: true }))
    .first('id')
  return row !== undefined
}

/** Whether a payment that the user has begun and not made holds the code: another choice gives it back first. */
export async function holdsPromo(db: Knex, userId: number, code: string): Promise<boolean> {
  const row = await db('payments')
    .where({ userId, status: 'pending', promoReserved: true })
    .whereRaw('upper(promo_code) = ?', [code])
    .first('id')
  return row !== undefined
}

/** Returns undefined unless the code is valid now. Its row stays locked until the transaction ends. */
export async function redeemPromo(trx: Knex, code: string, now: Date): Promise<PromoCodeRow | undefined> {
  const [row] = await trx('promo_codes')
    .whereRaw('upper(code) = ?', [code])
    .where('isActive', true)
    .where('validFrom', '<=', now)
    .whereRaw('(valid_until is null or valid_until > ?)', [now])
    .whereRaw('(max_uses is null or current_uses < max_uses)')
    .increment('currentUses', 1)
    .returning('*')
  return row
}

export async function releasePromo(trx: Knex, code: string): Promise<void> {
  await trx('promo_codes')
    .whereRaw('upper(code) = ?', [code.toUpperCase()])
    .where('currentUses', '>', 0)
    .decrement('currentUses', 1)
}

/** Counts a use that was given back and then paid for. Returns false when the code is used up. */
export async function countLateUse(trx: Knex, code: string): Promise<boolean> {
  const counted = await trx('promo_codes')
    .whereRaw('upper(code) = ?', [code.toUpperCase()])
    .whereRaw('(max_uses is null or current_uses < max_uses)')
    .increment('currentUses', 1)
  return counted === 1
}
