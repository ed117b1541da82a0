import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { useNewContent } from '../../page/new-content.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'

/** From the success to the dashboard (specification, section 9). */
const redirectMs = 3_000

/** Says that a payment went through and its plan is active. */
export function tellOfPayment(): void {
  toast({
    title: 'Payment Successful',
    description: 'Your payment was successful and your subscription is now active.',
  })
}

/** The payment went through; `children` say what follows from it. */
export function SuccessCard({ children }: { children: ReactNode }) {
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
