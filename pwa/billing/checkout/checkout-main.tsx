import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createPath, Router, type Navigator, type To } from 'react-router-dom'
import { watchErrors } from '../../device/errors/watch-errors.ts'
import { followTheme } from '../../device/theme.ts'
import { paths } from '../../paths.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { QuietShell } from '../../ui/quiet-shell.tsx'
import { Toaster } from '../../ui/toaster.tsx'
import { CheckoutPage, StatusPage } from './checkout-page.tsx'
import { takeIdentifiers, type PaymentIdentifiers } from './payment-check.ts'
import '../../styles.css'

const addressOf = (to: To) => (typeof to === 'string' ? to : createPath(to))
/** The app's router reads its state from the history entry under `usr`. */
const entryWith = (state: unknown) => ({ usr: state, key: 'checkout' })

const navigator: Navigator = {
  createHref: addressOf,
  push: (to, state) => {
    if (state == null) return location.assign(addressOf(to))
    history.pushState(entryWith(state), '', addressOf(to))
    location.reload()
  },
  replace: (to, state) => {
    if (state == null) return location.replace(addressOf(to))
    history.replaceState(entryWith(state), '', addressOf(to))
    location.reload()
  },
  go: (delta) => history.go(delta),
}

/** Every link leaves this document, and with it the provider's script. */
function LeavingRouter({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = location
  return (
    <Router location={{ pathname, search, hash }} navigator={navigator}>
      {children}
    </Router>
  )
}

const legal = [
  { to: paths.privacy, label: 'Privacy' },
  { to: paths.terms, label: 'Terms' },
]

function CheckoutDocument({ identifiers }: { identifiers: PaymentIdentifiers }) {
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

// First: nothing else of this page, such as the provider's script, may see the identifiers in the address.
const identifiers = takeIdentifiers()
watchErrors()
followTheme()

const root = document.getElementById('root')
if (!root) throw new Error('checkout.html has no #root')
createRoot(root, { onCaughtError: reportError }).render(
  <StrictMode>
    <CheckoutDocument identifiers={identifiers} />
  </StrictMode>,
)
