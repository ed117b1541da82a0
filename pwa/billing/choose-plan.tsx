import { useNavigate } from 'react-router-dom'
import { useOffer } from './plans.ts'
import { PlanPicker } from './plan-picker.tsx'
import type { PlanOrder } from './plan-order.ts'
import { paths } from '../paths.ts'
import { Card } from '../ui/card.tsx'
import { SkeletonLine } from '../ui/skeleton.tsx'
import { PlansFailed } from './plans-block.tsx'

/** The plan picker with the plans that are on sale now. */
export function ChoosePlan({ label }: { label: string }) {
  const { status, offer } = useOffer()
  const navigate = useNavigate()
  if (status !== 'ready') return status === 'failed' ? <PlansFailed /> : <PickerShape />
  const { plans, mode } = offer
  const pay = ({ planId, promoCode }: PlanOrder) => {
    const address = paths.checkout(planId, promoCode)
    // Where cards are charged the checkout is a document of its own.
    if (mode === 'live') window.location.assign(address)
    else void navigate(address)
  }
  return (
    <Card>
      <PlanPicker label={label} plans={plans} demo={mode === 'demo'} onPay={pay} />
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
