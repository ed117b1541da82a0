import type { Plan } from '#shared/billing/billing-calls.ts'
import { chargedCents, formatCents, wholeDollars } from '#shared/billing/plan.ts'
import type { AppliedPromo } from './plan-order.ts'

/** The server will charge `amountCents`, once it is known. */
export function OrderTotal(props: {
  plan: Plan
  promo: AppliedPromo | null
  demo: boolean
  amountCents?: number | undefined
}) {
  const { plan, promo, demo, amountCents } = props
  const total = amountCents ?? chargedCents(plan.price, promo?.discount ?? 0)
  return (
    <div>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 tabular-nums">
        {promo && (
          <>
            <dt className="text-muted">{plan.name}</dt>
            <dd className="text-right">{wholeDollars(plan.price)}</dd>
            <dt className="text-muted">
              {promo.discount}% with {promo.code}
            </dt>
            <dd className="text-right">−{formatCents(plan.price - total)}</dd>
          </>
        )}
        <dt className="text-lg font-semibold">Total</dt>
        <dd className="text-right text-lg font-semibold" data-total>
          {formatCents(total)}
        </dd>
      </dl>
      {demo && <p className="mt-1 text-sm font-medium text-signal">Demo: no card is charged</p>}
    </div>
  )
}
