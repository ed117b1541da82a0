import { paths } from '../../paths.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { QuietShell } from '../../ui/quiet-shell.tsx'
import { Toaster } from '../../ui/toaster.tsx'
import { CheckoutPage } from './checkout-page.tsx'
import { LeavingRouter } from './leaving-router.tsx'
import type { PaymentIdentifiers } from './payment-identifiers.ts'
import { StatusPage } from './status-page.tsx'

const legal = [
  { to: paths.privacy, label: 'Privacy' },
  { to: paths.terms, label: 'Terms' },
]

/** The document beside the app in which cards are paid with: /checkout, and /checkout-status for the way back. */
export function CheckoutDocument({ identifiers }: { identifiers: PaymentIdentifiers }) {
  const isWayBack = location.pathname.startsWith(paths.checkoutStatus)
  return (
    <LeavingRouter>
      <QuietShell
        home={paths.home}
        assurance="Secure checkout"
        footer="Your card number goes from here to Stripe and never to us."
        links={legal}
      >
        {isWayBack ? <StatusPage identifiers={identifiers} /> : <CheckoutPage />}
      </QuietShell>
      <LiveRegion />
      <Toaster />
    </LeavingRouter>
  )
}
