import { useEffect, type ReactNode } from 'react'
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
const loadDashboard = () => import('../events/dashboard-screen.tsx')

const Auth = screen(async () => {
  const { AuthScreen } = await import('../accounts/auth-screen.tsx')
  // Loaded while a password is typed, it is there when the sign-in is answered.
  loadDashboard().catch(() => undefined)
  return AuthScreen
})
const Events = screen(async () => (await import('../events/events-screen.tsx')).EventsScreen)
const EventDetail = screen(async () => (await import('../events/event-detail-screen.tsx')).EventDetailScreen)
const Apply = screen(async () => (await import('../applications/apply-screen.tsx')).ApplyScreen)
const MyApplications = screen(
  async () => (await import('../applications/my-applications-screen.tsx')).MyApplicationsScreen,
)
const Start = screen(async () => (await import('./start-page.tsx')).StartPage)
const EventBuilder = screen(async () => (await import('../events/event-builder-screen.tsx')).EventBuilderScreen)
const Sync = screen(async () => (await import('../queue/sync-screen.tsx')).SyncScreen)
const Dashboard = screen(async () => (await loadDashboard()).DashboardScreen)
const Inbox = screen(async () => (await import('../events/inbox-screen.tsx')).InboxScreen)
const Analytics = screen(async () => (await import('../events/analytics-screen.tsx')).AnalyticsScreen)
const CreateEvent = screen(async () => (await import('../events/create-event-screen.tsx')).CreateEventScreen)
const EditEvent = screen(async () => (await import('../events/edit-event-screen.tsx')).EditEventScreen)
const ManageEvent = screen(async () => (await import('../events/manage-event-screen.tsx')).ManageEventScreen)
const Poster = screen(async () => (await import('../events/poster-screen.tsx')).PosterScreen)
const BeaconList = screen(async () => (await import('../events/beacon-list-screen.tsx')).BeaconListScreen)
const Customize = screen(async () => (await import('../events/customize-screen.tsx')).CustomizeScreen)
const Pricing = screen(async () => (await import('../billing/pricing-screen.tsx')).PricingScreen)
const Checkout = screen(async () => (await import('../billing/checkout-screen.tsx')).CheckoutScreen)
const CheckoutStatus = screen(async () => (await import('../billing/checkout-status-screen.tsx')).CheckoutStatusScreen)
const Subscription = screen(async () => (await import('../billing/subscription-screen.tsx')).SubscriptionScreen)
const ManageSubscription = screen(
  async () => (await import('../billing/manage-subscription-screen.tsx')).ManageSubscriptionScreen,
)
const BillingHistory = screen(async () => (await import('../billing/billing-history-screen.tsx')).BillingHistoryScreen)
const Profile = screen(async () => (await import('../accounts/profile-screen.tsx')).ProfileScreen)
const AccountSettings = screen(
  async () => (await import('../accounts/account-settings-screen.tsx')).AccountSettingsScreen,
)
const Admin = screen(async () => (await import('../admin/admin-screen.tsx')).AdminScreen)
const AdminAccount = screen(async () => (await import('../admin/admin-account-screen.tsx')).AdminAccountScreen)
const HowItWorks = screen(async () => (await import('../site/how-it-works-screen.tsx')).HowItWorksScreen)
const Resources = screen(async () => (await import('../site/resources-screen.tsx')).ResourcesScreen)
const Features = screen(async () => (await import('../site/features-screen.tsx')).FeaturesScreen)
const Faq = screen(async () => (await import('../site/faq-screen.tsx')).FaqScreen)
const About = screen(async () => (await import('../site/about-screen.tsx')).AboutScreen)
const Blog = screen(async () => (await import('../site/blog-screen.tsx')).BlogScreen)
const Article = screen(async () => (await import('../site/article-screen.tsx')).ArticleScreen)
const Contact = screen(async () => (await import('../site/contact-screen.tsx')).ContactScreen)
const Privacy = screen(async () => (await import('../site/privacy-screen.tsx')).PrivacyScreen)
const Terms = screen(async () => (await import('../site/terms-screen.tsx')).TermsScreen)
const NotFound = screen(async () => (await import('../site/not-found-screen.tsx')).NotFoundScreen)

/** Loads an organizer's screen while the session is read. @returns undefined for any other screen */
export function loadScreenAhead(pathname: string): Promise<void> | undefined {
  const screen = { [paths.dashboard]: Dashboard, [paths.inbox]: Inbox }[pathname]
  return (screen ?? (matchPath('/events/manage/:id', pathname) ? ManageEvent : undefined))?.loadAhead()
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
 * Specification, section 2: a spinner while the user is loading, /auth when there is none. A session that ended while the
 * page was open stays, so that nothing typed is lost.
 */
function RequireSession({ spinner, children }: { spinner: ReactNode; children: ReactNode }) {
  const { state } = useSession()
  const { pathname, search, hash } = useLocation()
  if (state === 'loading') return spinner
  if (state === 'signed-out') return <Navigate to="/auth" replace state={{ from: pathname + search + hash }} />
  return children
}

function Protected() {
  return (
    <RequireSession spinner={<PageSpinner />}>
      <Outlet />
    </RequireSession>
  )
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

export function App() {
  return (
    <BrowserRouter>
      <AlertFollower />
      <Routes>
        <Route element={<AppFrame />}>
          <Route element={<Contained />}>
            <Route index element={<Home />} />
            <Route path="auth" element={<Auth />} />
            <Route path="events" element={<Events />} />
            <Route path="events/:id" element={<EventDetail />} />
            <Route path="events/:id/apply" element={<Apply />} />
            <Route path="my-applications" element={<MyApplications />} />
            <Route path="event-builder" element={<EventBuilder />} />
            <Route path="sync" element={<Sync />} />
            <Route path="how-it-works" element={<HowItWorks />} />
            <Route path="resources" element={<Resources />} />
            <Route path="features" element={<Features />} />
            <Route path="faq" element={<Faq />} />
            <Route path="about" element={<About />} />
            <Route path="blog" element={<Blog />} />
            <Route path="blog/:slug" element={<Article />} />
            <Route path="contact" element={<Contact />} />
            <Route path="privacy" element={<Privacy />} />
            <Route path="terms" element={<Terms />} />
            <Route element={<OfPlans />}>
              <Route path="pricing" element={<Pricing />} />
              <Route path="checkout-status" element={<CheckoutStatus />} />
              <Route element={<Protected />}>
                <Route path="checkout" element={<Checkout />} />
                <Route path="subscription" element={<Subscription />} />
                <Route path="manage-subscription" element={<ManageSubscription />} />
                <Route path="billing-history" element={<BillingHistory />} />
              </Route>
            </Route>
            <Route element={<Protected />}>
              <Route path="dashboard" element={<Dashboard />} />
              <Route path="profile" element={<Profile />} />
              <Route path="account-settings" element={<AccountSettings />} />
              <Route path="admin" element={<Admin />} />
              <Route path="admin/accounts/:id" element={<AdminAccount />} />
              <Route path="inbox" element={<Inbox />} />
              <Route path="analytics" element={<Analytics />} />
              <Route path="events/create" element={<CreateEvent />} />
              <Route path="events/edit/:id" element={<EditEvent />} />
              <Route path="events/manage/:id" element={<ManageEvent />} />
              <Route path="events/manage/:id/poster" element={<Poster />} />
              <Route path="events/manage/:id/beacons" element={<BeaconList />} />
              <Route path="events/:eventId/customize" element={<Customize />} />
            </Route>
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
