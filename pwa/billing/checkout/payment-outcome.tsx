import { useEffect, type ReactNode } from 'react'
import { useNavigate, type NavigateFunction } from 'react-router-dom'
import { useNewContent } from '../../ui/page/new-content.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import type { PaymentCheck } from './payment-check.ts'

/** `active`: our server has confirmed the plan; `again` asks once more. */
export function PaymentOutcome(props: {
  check: PaymentCheck
  active?: boolean | undefined
  again?: ReactNode | undefined
}) {
  const { check, active = true, again } = props
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

/** Section 9 of the specification asks for this time. */
const redirectMs = 3_000

/** Returns what keeps the page where it is. */
export function goToDashboardSoon(navigate: NavigateFunction): () => void {
  const timer = setTimeout(() => void navigate(paths.dashboard, { replace: true }), redirectMs)
  return () => clearTimeout(timer)
}

export function showPaymentToast(): void {
  toast({
    title: 'Payment Successful',
    description: 'Your payment was successful and your subscription is now active.',
  })
}

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

/** The dashboard follows automatically. */
export function PaymentSuccessful({ active, demo = false }: { active: boolean; demo?: boolean | undefined }) {
  const navigate = useNavigate()
  useNewContent()
  useEffect(() => goToDashboardSoon(navigate), [navigate])
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
