import type { Knex } from 'knex'
import type { PromoCode } from '#shared/admin/promo-code-calls.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError, refusedField } from '../calls/problems.ts'
import type { PromoCodeRow } from '../db/rows/billing-rows.ts'

interface Use {
  readonly code: string
  readonly username: string
  readonly at: Date
}

const usesShown = 50

async function present(db: Knex, rows: readonly PromoCodeRow[]): Promise<PromoCode[]> {
  const { rows: uses } = await db.raw<{ rows: Use[] }>(
    `select code, username, at from (
       select upper(p.promo_code) as code, u.username, p.created_at as at,
         row_number() over (partition by upper(p.promo_code) order by p.created_at desc) as number
       from payments p join users u on u.id = p.user_id where p.status = 'paid' and upper(p.promo_code) = any(?)
     ) used where number <= ? order by at desc`,
    [rows.map(({ code }) => code.toUpperCase()), usesShown] as unknown as Knex.Value[],
  )
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    description: row.description,
    percent: row.discountValue,
    validUntil: row.validUntil?.toISOString() ?? null,
    maxUses: row.maxUses,
    uses: row.currentUses,
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
    usedBy: uses
      .filter(({ code }) => code === row.code.toUpperCase())
      .map(({ username, at }) => ({ username, at: at.toISOString() })),
  }))
}

async function presentOne(db: Knex, row: PromoCodeRow | undefined): Promise<PromoCode> {
  const [shown] = row ? await present(db, [row]) : []
  if (!shown) throw new ProblemError('not_found', 'There is no such promo code.')
  return shown
}

const taken = () => refusedField('already_exists', 'code', 'This code already exists')

export const promoCodeHandlers = {
  listPromoCodes: async ({ db }) => await present(db, await db('promo_codes').orderBy('id', 'desc')),

  createPromoCode: async ({ db, body, now }) => {
    const { code, description, percent, lastDay, maxUses } = body
    const validUntil = lastDay === null ? null : new Date(`${lastDay}T23:59:59.999Z`)
    if (validUntil !== null && validUntil <= now) throw refusedField('invalid_input', 'lastDay', 'This day has passed')
    const wished = { description, discountValue: percent, validUntil, maxUses }
    const [made] = await db('promo_codes')
      .insert({ code, discountType: 'percent', validFrom: now, isActive: true, ...wished })
      .onConflict()
      .ignore()
      .returning('*')
    if (made) return await presentOne(db, made)
    const before = await db('promo_codes').whereRaw('upper(code) = ?', [code]).first()
    const isSame =
      before?.isActive === true &&
      before.description === description &&
      before.discountValue === percent &&
      before.maxUses === maxUses &&
      before.validUntil?.getTime() === validUntil?.getTime()
    if (!isSame) throw taken()
    return await presentOne(db, before)
  },

  stopPromoCode: async ({ db, params }) => {
    const [row] = await db('promo_codes').where({ id: params.id }).update({ isActive: false }).returning('*')
    return await presentOne(db, row)
  },
} satisfies Partial<Handlers>
