import type { ReactNode } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { wholeDollars, durationText, isUnlimited } from '#shared/billing/plan.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

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

/** The address names a plan that is not there. */
export function InvalidPlan() {
  return (
    <Page>
      <EmptyState
        illustration="lost"
        title="Invalid Plan"
        level={1}
        action={<ButtonLink to={paths.pricing}>Back to Pricing</ButtonLink>}
      >
        The plan you selected is not on sale.
      </EmptyState>
    </Page>
  )
}

/** The way back to the plans. */
export function CancelLink() {
  return (
    <ButtonLink to={paths.pricing} variant="ghost" size="large" className="max-sm:w-full">
      Cancel
    </ButtonLink>
  )
}
