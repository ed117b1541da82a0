import type { ReactNode } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { wholeDollars } from '#shared/billing/money.ts'
import { durationText, isUnlimited } from '#shared/billing/plan.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'

/** What one is about to pay for. */
export function PlanSummary({ plan, children }: { plan: Plan; children?: ReactNode }) {
  return (
    <Card as="section" aria-labelledby="plan-summary">
      <CardTitle id="plan-summary">Plan Summary</CardTitle>
      <DefinitionList
        lines
        items={[
          { term: 'Plan', detail: plan.name },
          { term: 'Price', detail: wholeDollars(plan.price) },
          { term: 'Events', detail: isUnlimited(plan) ? 'Unlimited' : String(plan.eventLimit) },
          { term: 'Duration', detail: durationText(plan.durationDays) },
        ]}
      />
      {children}
    </Card>
  )
}
