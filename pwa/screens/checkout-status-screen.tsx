import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { PageSpinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.ts'
import { checkPayment, type PaymentCheck } from './payment-check.ts'
import { usePageTitle } from './page-title.ts'

/** Where a card payment comes back to: whether it went through. */
export function CheckoutStatusScreen() {
  usePageTitle('Payment Status')
  const [search] = useSearchParams()
  const navigate = useNavigate()
  // Read once: they leave the address bar, the history and every later report of this page.
  const [payment] = useState(() => ({
    intent: search.get('payment_intent'),
    clientSecret: search.get('payment_intent_client_secret'),
  }))
  const [check, setCheck] = useState<PaymentCheck | null>(null)

  useLayoutEffect(() => {
    if (window.location.search) void navigate(paths.checkoutStatus, { replace: true })
  }, [navigate])
  useEffect(() => {
    let left = false
    void checkPayment(payment).then((result) => {
      if (left) return
      setCheck(result)
      if (result.state === 'success') {
        toast({
          title: 'Payment Successful',
          description: 'Your payment was successful and your subscription is now active.',
        })
      }
    })
    return () => {
      left = true
    }
  }, [payment])

  if (!check) return <PageSpinner label="Checking your payment" />
  return <PaymentOutcome check={check} />
}

/** What became of the payment, and where to go from there. */
export function PaymentOutcome({ check }: { check: PaymentCheck }) {
  return (
    <Page>
      {check.state === 'success' ? (
        <EmptyState
          illustration="clear"
          title="Payment Successful!"
          level={1}
          action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
        >
          Your payment was successful and your subscription is now active.
        </EmptyState>
      ) : (
        <EmptyState
          illustration="lost"
          title="Payment Failed"
          level={1}
          action={
            <>
              <ButtonLink to={paths.pricing}>Try Again</ButtonLink>
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
