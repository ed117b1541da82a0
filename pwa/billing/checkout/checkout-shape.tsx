import type { ReactNode } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { durationText, isUnlimited, wholeDollars } from '#shared/billing/plan.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonLine } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'

export const columns = 'grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-6'

export function CardFormShape() {
  return (
    <div className="flex flex-col gap-4" aria-hidden="true">
      <SkeletonLine className="h-3 w-28" />
      <SkeletonLine className="h-11 rounded-field" />
      <div className="grid grid-cols-2 gap-4">
        {['date', 'code'].map((field) => (
          <div key={field} className="flex flex-col gap-4">
            <SkeletonLine className="h-3 w-24" />
            <SkeletonLine className="h-11 rounded-field" />
          </div>
        ))}
      </div>
      <SkeletonLine className="h-3 w-20" />
      <SkeletonLine className="h-11 rounded-field" />
    </div>
  )
}

export function CheckoutShape() {
  return (
    <>
      <output className="sr-only">Loading your plan</output>
      <div className={columns} aria-hidden="true">
        <Card>
          <SkeletonLine className="mt-1 h-5 w-36" />
          <div className="mt-6 grid gap-x-8 gap-y-6 sm:grid-cols-2">
            {['plan', 'price', 'events', 'duration'].map((fact) => (
              <div key={fact} className="flex justify-between gap-3 sm:flex-col">
                <SkeletonLine className="h-3 w-16" />
                <SkeletonLine className="h-4 w-24" />
              </div>
            ))}
          </div>
          <SkeletonLine className="mt-8 h-6 w-44" />
          <SkeletonLine className="mt-6 h-6" />
        </Card>
        <Card>
          <SkeletonLine className="mt-1 mb-6 h-5 w-28" />
          <CardFormShape />
          <SkeletonLine className="mt-6 h-13 rounded-field" />
        </Card>
      </div>
    </>
  )
}

export function PlanSummary({ plan, children }: { plan: Plan; children?: ReactNode }) {
  return (
    <Card title="Plan Summary">
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

export function CancelLink() {
  return (
    <ButtonLink to={paths.pricing} variant="ghost" size="large" className="max-sm:w-full">
      Cancel
    </ButtonLink>
  )
}
