import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { useNewContent } from '../../ui/page/new-content.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import type { PaymentCheck } from './payment-check.ts'

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

/** From the success to the dashboard (specification, section 9). */
const redirectMs = 3_000

/** Says that a payment went through and its plan is active. */
export function showPaymentToast(): void {
  toast({
    title: 'Payment Successful',
    description: 'Your payment was successful and your subscription is now active.',
  })
}

/** The payment went through; `children` say what follows from it. */
function SuccessCard({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      illustration="clear"
      title="Payment Successful!"
      level={1}
      action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
    >
      {children}
    </EmptyState>
  )
}

/**
 * After the payment; the dashboard follows by itself. `active`: whether our server has said that the plan is active, which it
 * hears of by itself otherwise.
 */
export function PaymentSuccessful({ active, demo = false }: { active: boolean; demo?: boolean | undefined }) {
  const navigate = useNavigate()
  useNewContent()
  useEffect(() => {
    const timer = setTimeout(() => void navigate(paths.dashboard, { replace: true }), redirectMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <Page>
      <SuccessCard>
        {active
          ? 'Your subscription is now active. '
          : 'Your plan becomes active as soon as our server has heard of it, within a few minutes. '}
        {demo && 'Demo: no card was charged. '}Taking you to your dashboard.
      </SuccessCard>
    </Page>
  )
}
