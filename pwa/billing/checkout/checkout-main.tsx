import { LockKeyhole } from 'lucide-react'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createPath, Link, Router, type Navigator, type To } from 'react-router-dom'
import { watchErrors } from '../../device/errors/watch-errors.ts'
import { followTheme } from '../../device/theme.ts'
import { paths } from '../../paths.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { Logo } from '../../ui/logo.tsx'
import { SkipLink } from '../../ui/page.tsx'
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

const legal = { Privacy: paths.privacy, Terms: paths.terms }

/** A quiet frame: the page has one task. */
function CheckoutDocument({ identifiers }: { identifiers: PaymentIdentifiers }) {
  const isWayBack = location.pathname.startsWith(paths.checkoutStatus)
  return (
    <LeavingRouter>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <header className="hall no-print bleed sticky top-0 z-30 bg-hall pt-(--safe-top) text-hall-content">
          <div className="mx-auto flex h-(--header-height) max-w-6xl items-center justify-between gap-3 px-4 sm:px-6">
            <Link
              to={paths.home}
              className="inline-flex min-h-11 items-center gap-2 rounded-lg text-xl font-bold tracking-tight"
            >
              <Logo />
              Beaconry
            </Link>
            <p className="flex items-center gap-2 text-sm text-hall-muted">
              <LockKeyhole className="size-4 shrink-0" />
              Secure checkout
            </p>
          </div>
        </header>
        {/* As high as the window: the footer comes into sight by scrolling, never by a page that is still arriving. */}
        <main id="main" tabIndex={-1} className="min-h-[calc(100dvh-var(--header-height)-var(--safe-top))] flex-1">
          {isWayBack ? <StatusPage identifiers={identifiers} /> : <CheckoutPage />}
        </main>
        <footer className="no-print bleed border-t border-base-300 pb-(--safe-bottom) text-sm">
          <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 px-4 py-2 sm:px-6">
            <p className="py-2 text-muted">Your card number goes from here to Stripe and never to us.</p>
            <nav aria-label="Legal" className="-ml-2 flex gap-2">
              {Object.entries(legal).map(([label, to]) => (
                <Link
                  key={to}
                  to={to}
                  className="inline-flex min-h-11 min-w-11 items-center rounded-md px-2 text-muted hover:text-base-content hover:underline"
                >
                  {label}
                </Link>
              ))}
            </nav>
          </div>
        </footer>
      </div>
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
