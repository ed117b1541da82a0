import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import type { PaymentCheck } from './payment-check.ts'
import { SuccessCard } from './payment-successful.tsx'

/**
 * What became of a payment, and where to go from there. `active`: our server has said that the plan is; `again`: the way to
 * ask once more.
 */
export function PaymentOutcome({
  check,
  active = true,
  again,
}: {
  check: PaymentCheck
  active?: boolean | undefined
  again?: ReactNode | undefined
}) {
  return (
    <Page>
      {check.state === 'success' ? (
        <SuccessCard>
          {active
            ? 'Your payment was successful and your subscription is now active.'
            : 'Your payment was successful. Your plan becomes active as soon as our server has heard of it, within a few minutes.'}
        </SuccessCard>
      ) : (
        <EmptyState
          illustration="lost"
          title="Payment Failed"
          level={1}
          action={
            <>
              {again}
              <ButtonLink to={paths.pricing} variant={again ? 'secondary' : 'primary'}>
                Try Again
              </ButtonLink>
              <ButtonLink to={paths.home} variant="secondary">
                Return Home
              </ButtonLink>
            </>
          }
        >
          {check.message}
        </EmptyState>
      )}
    </Page>
  )
}
