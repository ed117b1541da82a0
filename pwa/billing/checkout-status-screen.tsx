import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { reachability } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { checkPayment, identifiersOf, type PaymentCheck } from './checkout/payment-check.ts'
import { PaymentOutcome } from './checkout/payment-outcome.tsx'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Page } from '../ui/page.tsx'
import { PageSpinner } from '../ui/loading.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useReconnected } from './use-reconnected.ts'

/**
 * For demo mode and no connection: where cards are charged the server answers with the checkout document, which alone
 * can ask the provider.
 */
export function CheckoutStatusScreen() {
  usePageTitle('Payment Status')
  const [search] = useSearchParams()
  const navigate = useNavigate()
  // Read once: the identifiers leave the address bar, the history and later reports of this page.
  const [{ address, payment }] = useState(() => ({
    address: `${paths.checkoutStatus}?${search.toString()}`,
    payment: identifiersOf(search.toString()),
  }))
  const [check, setCheck] = useState<PaymentCheck | null>(null)
  const reachable = useObservable(reachability)
  const isComplete = payment.intent !== null && payment.clientSecret !== null
  const isCutOff = isComplete && check?.state === 'failure' && reachable === 'unreachable'

  useLayoutEffect(() => {
    if (window.location.search) void navigate(paths.checkoutStatus, { replace: true })
  }, [navigate])
  useEffect(() => void checkPayment(payment).then(setCheck), [payment])
  // The server then answers with the checkout document.
  useReconnected(isCutOff, () => window.location.replace(address))

  if (!check) return <PageSpinner label="Checking your payment" />
  if (isCutOff) {
    return (
      <Page title="Payment Status" width="narrow">
        <Alert variant="signal" title="No connection right now">
          <output>
            Whether your payment went through is asked as soon as there is one. Keep this page open; nothing is charged
            twice.
          </output>
        </Alert>
      </Page>
    )
  }
  return <PaymentOutcome check={check} />
}
