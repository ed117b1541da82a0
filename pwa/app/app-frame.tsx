import { actingNow } from '../browser/acting.ts'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import { reachability, serverNow, pendingEntries, useOutbox, type OutboxItem } from '../sync/index.ts'
import { hasDatabase } from '../browser/browser-storage.ts'
import { useObservable } from '../browser/observable.ts'
import { useScrollAndFocus } from './scroll-and-focus.ts'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import { hasPlans } from '../device/has-plans.ts'
import { isInstalled } from '../device/install.ts'
import { SignInAgainDialog } from '../accounts/forms/sign-in-again-dialog.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { announce, LiveRegion } from '../ui/live-region.tsx'
import { Logo } from '../ui/logo.tsx'
import { FailureBoundary, loadable } from '../ui/failure-boundary.tsx'
import { PageSpinner } from '../ui/loading.tsx'
import { SkipLink } from '../ui/page.tsx'
import { ThemeToggle } from '../ui/page/theme-toggle.tsx'
import { SyncBadge } from '../ui/status-badge.tsx'
import { toast } from '../ui/toast.ts'
import { Toaster } from '../ui/toaster.tsx'
import { useSignOut } from '../accounts/use-sign-out.tsx'

/** Visitors and most organizers never load it. */
const TeamBar = loadable(async () => (await import('../team/team-bar.tsx')).TeamBar)

/** Leaves the network to the page's own requests first. */
const prefetchAfterMs = 2_000

const footerLinks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Product: {
    Features: paths.features,
    ...(hasPlans() ? { Pricing: paths.pricing } : {}),
    FAQ: paths.faq,
  },
  Company: { About: paths.about, Blog: paths.blog, Contact: paths.contact },
  Legal: { Privacy: paths.privacy, Terms: paths.terms },
}

function usePrefetch() {
  const reachable = useObservable(reachability) === 'reachable'
  useEffect(() => {
    if (!reachable) return
    const timer = setTimeout(() => {
      import('../device/public-events.ts')
        .then(({ publicEvents }) => {
          if (publicEvents.known.get().answer === null) void publicEvents.ask()
        })
        .catch(() => undefined)
    }, prefetchAfterMs)
    return () => clearTimeout(timer)
  }, [reachable])
}

function useSignedOutElsewhere() {
  const session = useSession()
  const elsewhere = session.state === 'signed-out' && session.elsewhere === true
  useEffect(() => {
    if (!elsewhere) return
    toast({
      title: 'Logged out',
      description: 'You were signed out in another tab or on another device. What was not sent stays here for you.',
    })
  }, [elsewhere])
}

/** Undone changes are not announced. */
function useQueueNews(items: readonly OutboxItem[]) {
  const before = useRef({ leaving: false, attention: 0 })
  useEffect(() => {
    const own = items.filter(({ entry }) => entry.userId !== null)
    const attention = own.filter(({ syncState }) => syncState === 'needs-attention').length
    const was = before.current
    const leaving =
      own.length > 0 &&
      (was.leaving || own.some(({ entry, syncState }) => syncState === 'sent' || entry.state === 'sending'))
    before.current = { leaving, attention }
    if (attention > was.attention)
      announce(`${attention} ${attention === 1 ? 'change needs' : 'changes need'} attention.`)
    else if (was.leaving && own.length === 0) announce('Everything is saved online.')
  }, [items])
}

/** Looked up after the page's own work, and when an application was queued or has arrived. */
function useApplied(): boolean {
  const [applied, setApplied] = useState(false)
  useEffect(() => {
    const find = async () =>
      (await hasDatabase((name) => name === 'beaconry-outbox')) &&
      (await (await import('../applications/own-application.ts')).hasApplied())
    const look = () => void find().then(setApplied, () => undefined)
    const timer = setTimeout(look, prefetchAfterMs)
    const unsubscribe = pendingEntries.subscribe(look)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [])
  return applied
}

export function AppFrame() {
  const session = useSession()
  const queue = useOutbox()
  const [year] = useState(() => serverNow().getFullYear())
  const leaving = useSignOut(session.user)
  const [dismissedFor, setDismissedFor] = useState<User | null>(null)
  useScrollAndFocus()
  useSignedOutElsewhere()
  useQueueNews(queue.items)
  const applied = useApplied()
  usePrefetch()

  const ended = session.state === 'ended' ? session.user : null
  // The sign-in page asks on its own, perhaps for another account.
  const { pathname } = useLocation()
  const asksItself = pathname === paths.auth
  const signingIn = ended !== null && dismissedFor !== ended && !asksItself
  const badgeShown = session.user !== null || queue.items.length > 0
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <Header
          user={session.state === 'loading' ? undefined : session.user}
          // A new app on an iPhone's home screen knows of no application before its link is pasted there.
          hasApplied={applied || isInstalled()}
          onSignOut={leaving.start}
          syncBadge={
            badgeShown && (
              <SyncBadge
                state={queue.badge}
                waiting={queue.badge === 'not-saved' ? queue.unsaved : queue.waiting}
                attention={queue.attention}
                to={paths.sync}
              />
            )
          }
        />
        {actingNow() && (
          <FailureBoundary of={pathname} renderInstead={() => null}>
            <Suspense>
              <TeamBar />
            </Suspense>
          </FailureBoundary>
        )}
        <Notices
          ended={ended !== null && !signingIn && !asksItself}
          badgeShown={badgeShown}
          onSignIn={() => setDismissedFor(null)}
        />
        {/* As high as the window: the footer comes into sight by scrolling, never by a page that is still arriving. */}
        <main
          id="main"
          tabIndex={-1}
          className="min-h-[calc(100dvh-var(--header-height)-var(--safe-top))] flex-1 print:min-h-0"
        >
          <Suspense fallback={<PageSpinner />}>
            <Outlet />
          </Suspense>
        </main>
        <Footer year={year} />
      </div>
      {ended && <SignInAgainDialog email={ended.email} open={signingIn} onClose={() => setDismissedFor(ended)} />}
      {leaving.dialog}
      <LiveRegion />
      <Toaster />
    </>
  )
}

function Footer({ year }: { year: number }) {
  return (
    <footer className="no-print bleed mt-10 border-t border-base-300 pb-(--safe-bottom)">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto]">
        <div className="flex flex-col items-start gap-5">
          <p className="flex items-center gap-2 text-lg font-bold tracking-tight">
            <Logo className="size-7" />
            Beaconry
          </p>
          <ThemeToggle />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-4 gap-y-6 md:grid-cols-3 md:gap-x-10">
          {Object.entries(footerLinks).map(([heading, links]) => (
            <nav key={heading} aria-label={heading}>
              <h2 className="text-base font-semibold tracking-normal">{heading}</h2>
              <ul className="mt-1">
                {Object.entries(links).map(([label, to]) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="inline-flex min-h-11 min-w-24 items-center text-muted hover:text-base-content hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className="text-sm text-muted md:col-span-2">© {year} Beaconry</p>
      </div>
    </footer>
  )
}
