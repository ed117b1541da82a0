const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Cents as dollars with exactly two decimals, '$1,234.50': what a card is charged is always shown like this. */
export function formatCents(cents: number): string {
  return exact.format(cents / 100)
}

/** Cents as whole dollars, '$20': how plans and billing show amounts. */
export function wholeDollars(cents: number): string {
  return whole.format(cents / 100)
}

/** Price less the rounded percentage, in cents: price − round(price × percent ÷ 100). */
export function discountedCents(priceCents: number, percent: number): number {
  return priceCents - Math.round((priceCents * percent) / 100)
}

/** The least a card is charged: the payment provider takes nothing smaller. */
export const cardMinimumCents = 50

/** What is to be paid for a plan, in cents: the discounted price, and nothing where that is too small for a card. */
export function chargedCents(priceCents: number, percent: number): number {
  const cents = discountedCents(priceCents, percent)
  return cents < cardMinimumCents ? 0 : cents
}
