import type { BillingEntry, BillingHistory } from '#shared/billing/billing-calls.ts'
import { signedIn } from '../calls/signed-in.ts'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import type { Handler } from '../calls/handler.ts'
import { listPayments } from './payment-store.ts'

const dayMs = 86_400_000

/** The caller's payments; in demo mode, where there is none, the two examples of the specification. */
export const getBillingHistory: Handler<'getBillingHistory'> = async (call): Promise<BillingHistory> => {
  const payments = await listPayments(call.db, signedIn(call).userId)
  if (payments.length === 0 && call.config.demoMode) return { sample: true, entries: sampleEntries(call.now) }
  return { sample: false, entries: payments.map(presentPayment) }
}

function presentPayment(row: PaymentRow & { planName: string }): BillingEntry {
  return {
    id: row.id,
    planName: row.planName,
    date: (row.paidAt ?? row.createdAt).toISOString(),
    promoCode: row.promoCode,
    amount: row.amountCents,
    status: row.status === 'pending' && row.providerStatus === refused ? 'failed' : row.status,
    ...(row.refundedCents > 0 ? { refunded: row.refundedCents } : {}),
    ...(row.disputedCents > 0 ? { disputed: true as const } : {}),
  }
}

/** The provider's word for a payment that waits for another card, the last one having been refused. */
const refused = 'requires_payment_method'

/** A 2000-cent single-event charge and a free entry with a promo code (specification, section 9). */
function sampleEntries(now: Date): BillingEntry[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return [
    { id: 2, planName: 'Single Event', date: daysAgo(30), promoCode: null, amount: 2000, status: 'paid' },
    { id: 1, planName: 'Single Event', date: daysAgo(120), promoCode: 'BEACON100', amount: 0, status: 'paid' },
  ]
}
