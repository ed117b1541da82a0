import { expect, it } from 'vitest'
import { cardMinimumCents, chargedCents } from './plan.ts'
import { normalizePromoCode, promoReasons, promoRefusal } from './promo.ts'

const now = new Date('2026-06-15T12:00:00Z')
const good = { isActive: true, validFrom: now, validUntil: null, maxUses: null, currentUses: 0 }
it.each([
  ['from its first instant', good, null],
  ['a millisecond too early', { ...good, validFrom: new Date('2026-06-15T12:00:00.001Z') }, promoReasons.notYet],
  ['in its last millisecond', { ...good, validUntil: new Date('2026-06-15T12:00:00.001Z') }, null],
  ['at its end', { ...good, validUntil: now }, promoReasons.expired],
  ['with one use left', { ...good, maxUses: 10, currentUses: 9 }, null],
  ['used up', { ...good, maxUses: 10, currentUses: 10 }, promoReasons.usedUp],
  ['switched off and used up', { ...good, isActive: false, maxUses: 1, currentUses: 1 }, promoReasons.unknown],
  ['that does not exist', undefined, promoReasons.unknown],
])('whether a promo code can be used: %s', (_, promo, reason) => {
  expect(promoRefusal(promo, now)).toBe(reason)
})

it.each([
  ['welcome20', 'WELCOME20'],
  ['  Welcome20\n', 'WELCOME20'],
  ['   ', ''],
])('a typed promo code %j is read as %j', (typed, code) => {
  expect(normalizePromoCode(typed)).toBe(code)
})

it.each([
  [2000, 0, 2000],
  [2000, 97, 60],
  [2000, 98, 0],
  [2000, 100, 0],
  [cardMinimumCents, 0, cardMinimumCents],
  [cardMinimumCents - 1, 0, 0],
  [0, 0, 0],
])('what is charged for %i cents less %i percent is %i', (price, percent, cents) => {
  expect(chargedCents(price, percent)).toBe(cents)
})
