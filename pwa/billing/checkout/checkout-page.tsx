import { Navigate } from 'react-router-dom'
import { idFrom, paths } from '../../paths.ts'
import { usePageTitle } from '../../page/page-title.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { CardCheckout } from './card-checkout.tsx'
import { useCheckoutFacts } from './checkout-facts.ts'
import { CheckoutShape } from './checkout-shape.tsx'
import { InvalidPlan } from './invalid-plan.tsx'

/** /checkout where cards are charged: for somebody signed in who has chosen a plan. */
export function CheckoutPage() {
  usePageTitle('Checkout')
  const query = new URLSearchParams(location.search)
  const wanted = query.get('planId')
  const [facts, askAgain] = useCheckoutFacts()
  if (!wanted) return <Navigate to={paths.pricing} replace />
  if (facts.state === 'signed-out') {
    return <Navigate to={paths.auth} replace state={{ from: location.pathname + location.search }} />
  }
  if (facts.state === 'ready') {
    const plan = facts.plans.find(({ id }) => id === idFrom(wanted))
    if (!plan) return <InvalidPlan />
    return (
      <CardCheckout
        plan={plan}
        email={facts.email}
        publishableKey={facts.publishableKey}
        paidBefore={facts.paidBefore}
        promoCode={query.get('promoCode')}
      />
    )
  }
  return (
    <Page title="Checkout" back={{ to: paths.pricing, label: 'Pricing' }}>
      {facts.state === 'loading' ? (
        <CheckoutShape />
      ) : (
        <Alert
          variant="destructive"
          title="Unable to load subscription plans."
          action={
            <Button variant="secondary" onClick={askAgain}>
              Try Again
            </Button>
          }
        >
          {facts.unreachable
            ? 'Paying needs a connection, and there is none right now. Nothing was charged.'
            : 'The server did not answer. Nothing was charged.'}
        </Alert>
      )}
    </Page>
  )
}
