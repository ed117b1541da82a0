import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import {
  BrowserRouter,
  matchPath,
  Navigate,
  Outlet,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from 'react-router-dom'
import { AppFrame } from './app-frame.tsx'
import { idFrom, paths } from '../paths.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSession } from '../device/session/session.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FailureBoundary, loadable } from '../ui/failure-boundary.tsx'
import { PageSpinner } from '../ui/loading.tsx'

/** Loaded on first use; the previous one stays until then. */
const screen = loadable<object>

const Landing = screen(async () => (await import('../site/landing-screen.tsx')).LandingScreen)
const Start = screen(async () => (await import('./start-page.tsx')).StartPage)
const NotFound = screen(async () => (await import('../site/not-found-screen.tsx')).NotFoundScreen)
const loadDashboard = () => import('../events/dashboard-screen.tsx')

// Several screens in a file: the worker keeps all of them, and for a phone one more file costs more than the bytes in it.
const loadReading = () => import('./reading-screens.ts')
const loadBilling = () => import('./billing-screens.ts')
const loadOrganizing = () => import('./organizer-screens.ts')
const loadWriting = () => import('./writing-screens.ts')
const loadAdmin = () => import('./admin-screens.ts')

const openScreens = {
  auth: screen(async () => {
    const { AuthScreen } = await import('../accounts/auth-screen.tsx')
    // Loaded while a password is typed, it is there when the sign-in is answered.
    loadDashboard().catch(() => undefined)
    return AuthScreen
  }),
  events: screen(async () => (await import('../events/events-screen.tsx')).EventsScreen),
  'events/:id': screen(async () => (await import('../events/event-detail-screen.tsx')).EventDetailScreen),
  'events/:id/apply': screen(async () => (await import('../applications/apply-screen.tsx')).ApplyScreen),
  'events/:id/here': screen(async () => (await import('../applications/here-screen.tsx')).HereScreen),
  'my-applications': screen(
    async () => (await import('../applications/my-applications-screen.tsx')).MyApplicationsScreen,
  ),
  'event-builder': screen(async () => (await import('../events/event-builder-screen.tsx')).EventBuilderScreen),
  sync: screen(async () => (await import('../queue/sync-screen.tsx')).SyncScreen),
  'team/join': screen(async () => (await import('../team/join-team-screen.tsx')).JoinTeamScreen),
  'how-it-works': screen(async () => (await loadReading()).HowItWorksScreen),
  resources: screen(async () => (await loadReading()).ResourcesScreen),
  features: screen(async () => (await loadReading()).FeaturesScreen),
  faq: screen(async () => (await loadReading()).FaqScreen),
  about: screen(async () => (await loadReading()).AboutScreen),
  blog: screen(async () => (await loadReading()).BlogScreen),
  'blog/:slug': screen(async () => (await loadReading()).ArticleScreen),
  contact: screen(async () => (await loadReading()).ContactScreen),
  privacy: screen(async () => (await loadReading()).PrivacyScreen),
  terms: screen(async () => (await loadReading()).TermsScreen),
}

const planScreens = {
  pricing: screen(async () => (await import('../billing/pricing-screen.tsx')).PricingScreen),
  'checkout-status': screen(async () => (await import('../billing/checkout-status-screen.tsx')).CheckoutStatusScreen),
}

const signedInPlanScreens = {
  checkout: screen(async () => (await loadBilling()).CheckoutScreen),
  subscription: screen(async () => (await loadBilling()).SubscriptionScreen),
  'manage-subscription': screen(async () => (await loadBilling()).ManageSubscriptionScreen),
  'billing-history': screen(async () => (await loadBilling()).BillingHistoryScreen),
}

const signedInScreens = {
  dashboard: screen(async () => (await loadDashboard()).DashboardScreen),
  profile: screen(async () => (await import('../accounts/profile-screen.tsx')).ProfileScreen),
  'account-settings': screen(
    async () => (await import('../accounts/account-settings-screen.tsx')).AccountSettingsScreen,
  ),
  admin: screen(async () => (await loadAdmin()).AdminScreen),
  'admin/accounts/:id': screen(async () => (await loadAdmin()).AdminAccountScreen),
  team: screen(async () => (await import('../team/team-screen.tsx')).TeamScreen),
  inbox: screen(async () => (await loadOrganizing()).InboxScreen),
  analytics: screen(async () => (await loadOrganizing()).AnalyticsScreen),
  'events/create': screen(async () => (await import('../events/create-event-screen.tsx')).CreateEventScreen),
  'events/edit/:id': screen(async () => (await loadWriting()).EditEventScreen),
  'events/manage/:id': screen(async () => (await loadOrganizing()).ManageEventScreen),
  'events/manage/:id/poster': screen(async () => (await import('../events/poster-screen.tsx')).PosterScreen),
  'events/manage/:id/board': screen(async () => (await loadOrganizing()).BoardScreen),
  'events/manage/:id/ready': screen(async () => (await loadOrganizing()).ReadyScreen),
  'events/manage/:id/beacons': screen(async () => (await loadOrganizing()).BeaconListScreen),
  'events/:eventId/customize': screen(async () => (await loadWriting()).CustomizeScreen),
}

/** Loads an organizer's screen while the session is read. @returns undefined for any other screen */
export function loadScreenAhead(pathname: string): Promise<void> | undefined {
  const { dashboard, inbox, 'events/manage/:id': manageEvent } = signedInScreens
  const screen = { [paths.dashboard]: dashboard, [paths.inbox]: inbox }[pathname]
  return (screen ?? (matchPath('/events/manage/:id', pathname) ? manageEvent : undefined))?.loadAhead()
}

function ScreenFailure({ error }: { error: unknown }) {
  const couldNotLoad = error instanceof Error && /import|module|fetch/i.test(error.message)
  return (
    <EmptyState
      illustration="lost"
      level={1}
      title={couldNotLoad ? 'This page is not on this device yet' : 'Something went wrong on this page'}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      {couldNotLoad ? 'It is loaded when there is a network.' : 'It is our fault, not yours.'} Everything you saved on
      this device is still here.
    </EmptyState>
  )
}

function Contained() {
  return (
    <FailureBoundary of={useLocation().pathname} renderInstead={(error) => <ScreenFailure error={error} />}>
      <Outlet />
    </FailureBoundary>
  )
}

/**
 * Shows a spinner while the user is loading, and /auth when there is none (specification, section 2). A session that
 * ended while the page was open stays, so that nothing typed is lost. A person who signs out on the page goes to the start page.
 */
function Protected() {
  const session = useSession()
  const { pathname, search, hash } = useLocation()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (session.state === 'signed-in' && !wasSignedIn) setWasSignedIn(true)
  if (session.state === 'loading') return <PageSpinner />
  if (session.state !== 'signed-out') return <Outlet />
  if (wasSignedIn && !session.elsewhere) return <Navigate to={paths.home} replace />
  return <Navigate to={paths.auth} replace state={{ from: pathname + search + hash }} />
}

const OfPlans = () => (hasPlans() ? <Outlet /> : <Navigate to={paths.dashboard} replace />)

/** The manifest's start page is an address of this page, so that installed apps of before keep their scope. */
function Home() {
  const [search] = useSearchParams()
  return search.get('source') === 'app' ? <Start /> : <Landing />
}

function ToEdit(): ReactNode {
  const id = idFrom(useParams()['id'])
  return <Navigate to={id === null ? paths.dashboard : paths.editEvent(id)} replace />
}

/** Follows a tapped alert without a reload, which would lose typed text. */
function AlertFollower() {
  const navigate = useNavigate()
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (!worker) return
    const follow = ({ data }: MessageEvent<{ type?: unknown; path?: unknown } | null>) => {
      if (data?.type === 'open' && typeof data.path === 'string') void navigate(data.path)
    }
    worker.addEventListener('message', follow)
    return () => worker.removeEventListener('message', follow)
  }, [navigate])
  return null
}

const routesTo = (screens: Readonly<Record<string, ComponentType>>) =>
  Object.entries(screens).map(([path, Screen]) => <Route key={path} path={path} element={<Screen />} />)

export function App() {
  return (
    <BrowserRouter>
      <AlertFollower />
      <Routes>
        <Route element={<AppFrame />}>
          <Route element={<Contained />}>
            <Route index element={<Home />} />
            {routesTo(openScreens)}
            <Route element={<OfPlans />}>
              {routesTo(planScreens)}
              <Route element={<Protected />}>{routesTo(signedInPlanScreens)}</Route>
            </Route>
            <Route element={<Protected />}>{routesTo(signedInScreens)}</Route>
            <Route path="create-event" element={<Navigate to={paths.createEvent} replace />} />
            <Route path="events/:id/edit" element={<ToEdit />} />
            <Route path="edit-event/:id" element={<ToEdit />} />
            <Route path="*" element={<NotFound />} />
          </Route>
        </Route>
      </Routes>
    </BrowserRouter>
  )
}
