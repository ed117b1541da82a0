import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Plan } from '#shared/billing/billing-calls.ts'
import {
  chargedCents,
  formatCents,
  wholeDollars,
  eventLimitText,
  isMostPopular,
  unitLabel,
  validityText,
} from '#shared/billing/plan.ts'
import { OrderTotal } from './order-total.tsx'
import { useOffer } from './plans.ts'
import type { PlanOrder, AppliedPromo } from './plan-order.ts'
import { subscribe } from './plan-purchase.ts'
import { reachability } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { RadioGroupField } from '../ui/choice-fields.tsx'
import { SkeletonLine } from '../ui/loading.tsx'
import { toast } from '../ui/toast.ts'
import { PlansFailed } from './plans-block.tsx'
import { PromoBox } from './promo-box.tsx'

interface ChoosePlanProps {
  readonly label: string
  /** An event goes online with the plan. */
  readonly publishes?: boolean
  readonly onActive?: () => void
}

export function ChoosePlan({ label, publishes = false, onActive }: ChoosePlanProps) {
  const { status, offer } = useOffer()
  const navigate = useNavigate()
  if (status !== 'ready') return status === 'failed' ? <PlansFailed /> : <PickerShape />
  const { plans, mode } = offer
  const pay = ({ planId, promoCode }: PlanOrder) => {
    const address = paths.checkout(planId, promoCode)
    // The checkout is a document of its own.
    if (mode === 'live') window.location.assign(address)
    else void navigate(address)
  }
  return (
    <Card>
      <PlanPicker
        label={label}
        plans={plans}
        demo={mode === 'demo'}
        live={mode === 'live'}
        publishes={publishes}
        onPay={pay}
        onActive={onActive}
      />
    </Card>
  )
}

function PickerShape() {
  return (
    <Card>
      <output className="sr-only">Loading plans</output>
      <div className="flex flex-col gap-2">
        <SkeletonLine className="mb-1 w-40" />
        {[1, 2, 3].map((line) => (
          <SkeletonLine key={line} className="h-16 rounded-field" />
        ))}
        <SkeletonLine className="mt-5 h-11 w-40" />
        <SkeletonLine className="mt-5 h-13 w-full sm:w-32" />
      </div>
    </Card>
  )
}

/** `onPay`: the plan has to be paid first. */
function PlanPicker(props: {
  label: string
  plans: readonly Plan[]
  demo: boolean
  live: boolean
  publishes: boolean
  onPay: (order: PlanOrder) => void
  onActive: (() => void) | undefined
}) {
  const { label, plans, demo, live, publishes, onPay, onActive } = props
  const unreachable = useObservable(reachability) === 'unreachable'
  const [planId, setPlanId] = useState<number | null>(null)
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [stage, setStage] = useState<'choosing' | 'pending' | 'unanswered' | 'done'>('choosing')
  const [error, setError] = useState<string | null>(null)
  const plan = plans.find(({ id }) => id === planId)
  const isFree = plan !== undefined && chargedCents(plan.price, promo?.discount ?? 0) === 0
  /** The card is charged on a page of its own, and the event goes online after that. */
  const isPaidElsewhere = live && !isFree

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
      onActive?.()
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
              : 'Choosing a plan needs a connection. Your choice stays here until then.'}
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
          {publishes &&
            plan &&
            !isPaidElsewhere &&
            ` and Publish for ${formatCents(chargedCents(plan.price, promo?.discount ?? 0))}`}
        </Button>
        {publishes && plan && isPaidElsewhere && (
          <p className="mt-2 text-sm text-muted">
            The payment comes next. After it your event is on the dashboard, ready to publish.
          </p>
        )}
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
