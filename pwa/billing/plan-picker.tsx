import { useState } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { chargedCents, wholeDollars } from '#shared/billing/money.ts'
import { eventLimitText, isMostPopular, unitLabel, validityText } from '#shared/billing/plan.ts'
import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { RadioGroupField } from '../ui/radio-group-field.tsx'
import { toast } from '../ui/toast.ts'
import { OrderTotal } from './order-total.tsx'
import type { AppliedPromo, PlanOrder } from './plan-order.ts'
import { subscribe } from './plan-purchase.ts'
import { PromoBox } from './promo-box.tsx'

/** Chooses a plan, takes a promo code, and subscribes. `onPay`: the plan has to be paid first. */
export function PlanPicker({
  label,
  plans,
  demo,
  onPay,
}: {
  label: string
  plans: readonly Plan[]
  demo: boolean
  onPay: (order: PlanOrder) => void
}) {
  const unreachable = useObservable(reachability) === 'unreachable'
  const [planId, setPlanId] = useState<number | null>(null)
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [stage, setStage] = useState<'choosing' | 'pending' | 'unanswered' | 'done'>('choosing')
  const [error, setError] = useState<string | null>(null)
  const plan = plans.find(({ id }) => id === planId)
  const isFree = plan !== undefined && chargedCents(plan.price, promo?.discount ?? 0) === 0

  const start = async () => {
    if (!plan) {
      setError('Please choose a plan.')
      return
    }
    setStage('pending')
    const order = { planId: plan.id, promoCode: promo?.code ?? null }
    const result = await subscribe(order)
    if (result.kind === 'active') {
      setStage('done')
      toast({ title: isFree ? 'Free subscription activated!' : 'Subscription activated!' })
      return
    }
    setStage(result.kind === 'unreachable' ? 'unanswered' : 'choosing')
    if (result.kind === 'payment-required') onPay(order)
    if (result.kind === 'refused')
      toast({ variant: 'destructive', title: 'Subscription failed', description: result.message })
  }

  if (stage === 'done') {
    return (
      <Alert variant="quiet" title={`${plan?.name ?? 'Your plan'} is active`}>
        <output>It shows here in a moment.</output>
      </Alert>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      {(unreachable || stage === 'unanswered') && (
        <Alert variant="signal" title={stage === 'unanswered' ? 'Not confirmed yet' : 'No connection right now'}>
          <output>
            {stage === 'unanswered'
              ? 'No answer came. What you chose stays here; press again when there is a connection, and nothing is ordered twice.'
              : 'Choosing a plan needs a connection. What you choose stays here meanwhile.'}
          </output>
        </Alert>
      )}
      <RadioGroupField
        label={label}
        name="plan"
        error={error ?? undefined}
        value={planId === null ? '' : String(planId)}
        onChange={(event) => {
          setPlanId(Number(event.target.value))
          setError(null)
        }}
        options={plans.map((option) => ({
          value: String(option.id),
          label: <PlanLine plan={option} />,
          hint: <PlanTerms plan={option} />,
        }))}
      />
      <PromoBox planId={plan?.id} applied={promo} onApplied={setPromo} />
      {plan && <OrderTotal plan={plan} promo={promo} demo={demo} />}
      <div>
        <Button
          size="large"
          className="max-sm:w-full"
          pending={stage === 'pending'}
          pendingText="Processing..."
          onClick={() => void start()}
        >
          {isFree ? 'Activate Free Subscription' : 'Subscribe'}
        </Button>
      </div>
    </div>
  )
}

function PlanLine({ plan }: { plan: Plan }) {
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="font-semibold">{plan.name}</span>
      <span className="tabular-nums">
        <span className="font-semibold">{wholeDollars(plan.price)}</span>{' '}
        <span className="text-sm text-muted">{unitLabel(plan)}</span>
      </span>
    </span>
  )
}

function PlanTerms({ plan }: { plan: Plan }) {
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      {eventLimitText(plan)} · {validityText(plan.durationDays)}
      {isMostPopular(plan) && <Badge tone="signal">Most Popular</Badge>}
    </span>
  )
}
