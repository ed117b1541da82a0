import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import {
  isTooOld,
  reachability,
  isDeviceFull,
  hasDatabase,
  useObservable,
  serverNow,
  offeredAgain,
  pendingEntries,
  replicaState,
  fetchPublicEvents,
} from '../sync/index.ts'
import { useArrival } from './arrival.ts'
import { lookForUpdate, useAppUpdate } from '../device/app-update.ts'
import { useStorageCleared } from '../device/storage-cleared.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useTheme } from '../device/theme.ts'
import { SignInAgainDialog } from '../accounts/forms/sign-in-again-dialog.tsx'
import { InstallNotice, useInstallOffer } from './install-notice.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { useOutbox, type OutboxItem } from '../device/session/use-outbox.ts'
import { Button } from '../ui/button.tsx'
import { announce, LiveRegion } from '../ui/live-region.tsx'
import { OfflineLine, NoticeLine, Shell } from '../ui/shell.tsx'
import type { ShellUser } from '../ui/shell-header.tsx'
import { PageSpinner } from '../ui/loading.tsx'
import { SyncBadge } from '../ui/status-badge.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { toast } from '../ui/toast.ts'
import { Toaster } from '../ui/toaster.tsx'
import { useSignOut } from '../accounts/use-sign-out.tsx'

/** Leaves the network to the page's own requests first. */
const prefetchAfterMs = 2_000

const nav = [
  { to: paths.home, label: 'Home' },
  // Only the public pages count as "Events".
  { to: paths.events, label: 'Events', here: /^\/events(\/\d+(\/apply)?)?$/ },
  { to: paths.howItWorks, label: 'How It Works' },
  ...(hasPlans() ? [{ to: paths.pricing, label: 'Pricing' }] : []),
  { to: paths.resources, label: 'Resources' },
]

const signedOutLinks = [
  { to: paths.auth, label: 'Sign In' },
  { to: `${paths.auth}#sign-up`, label: 'Sign Up' },
]

const myApplications = { to: paths.myApplications, label: 'Your Applications' }

const footerGroup = (heading: string, links: Record<string, string>) => ({
  heading,
  links: Object.entries(links).map(([label, to]) => ({ to, label })),
})

const footer = [
  footerGroup('Product', {
    Features: paths.features,
    ...(hasPlans() ? { Pricing: paths.pricing } : {}),
    FAQ: paths.faq,
  }),
  footerGroup('Company', { About: paths.about, Blog: paths.blog, Contact: paths.contact }),
  footerGroup('Legal', { Privacy: paths.privacy, Terms: paths.terms }),
]

function shellUser(user: User, onSignOut: () => void): ShellUser {
  const dashboard = { to: paths.dashboard, label: 'Dashboard' }
  const profile = { to: paths.profile, label: 'Profile' }
  return {
    username: user.username,
    initials: user.username.slice(0, 2),
    dashboard,
    menu: [
      dashboard,
      profile,
      ...(user.isAdmin ? [{ to: paths.admin, label: 'Admin Dashboard' }] : []),
      { label: 'Sign Out', separated: true, onSelect: onSignOut },
    ],
    mobileMenu: [dashboard, profile, { label: 'Sign Out', onSelect: onSignOut }],
  }
}

function usePrefetch() {
  const reachable = useObservable(reachability) === 'reachable'
  useEffect(() => {
    if (!reachable) return
    const timer = setTimeout(() => {
      fetchPublicEvents()
        .then(({ eventsSource }) => {
          if (eventsSource().get().status !== 'ready') void eventsSource().load()
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

/** A value as of arrival on the page, so that a notice never moves a list under a finger. */
function useOnArrival<T>(value: T): T {
  const { pathname } = useLocation()
  const [seen, setSeen] = useState({ pathname, value })
  if (seen.pathname !== pathname) setSeen({ pathname, value })
  const renew = useEffectEvent(() => setSeen({ pathname, value }))
  useEffect(() => {
    const onShown = () => renew()
    document.addEventListener('visibilitychange', onShown)
    return () => document.removeEventListener('visibilitychange', onShown)
  }, [])
  return seen.value
}

function ActionLine({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  const action = (
    <Button variant="secondary" size="small" onClick={onPress}>
      {label}
    </Button>
  )
  return <NoticeLine action={action}>{children}</NoticeLine>
}

function Notices(props: { ended: boolean; badgeShown: boolean; onSignIn: () => void }): ReactNode {
  const { ended, badgeShown, onSignIn } = props
  const unreachable = useObservable(reachability) === 'unreachable'
  const update = useAppUpdate()
  const tooOld = useObservable(isTooOld)
  const { unreadable, storageFails } = useObservable(replicaState)
  const offered = useObservable(offeredAgain)
  const storage = useStorageCleared()
  const full = useObservable(isDeviceFull)
  const install = useInstallOffer()
  const updateReady = useOnArrival(update.ready)
  const installOffered = useOnArrival(install.offered)
  if (ended) {
    return (
      <ActionLine label="Sign In" onPress={onSignIn}>
        Your session has ended. Changes wait on this device until you sign in again.
      </ActionLine>
    )
  }
  if (storage.cleared) {
    return (
      <ActionLine label="Understood" onPress={storage.dismiss}>
        Your browser has cleared what Beaconry kept on this device. What our server has comes back by itself. Changes,
        applications and drafts that were not sent are lost: please check your latest ones and make them again.
      </ActionLine>
    )
  }
  if (full) {
    return (
      <NoticeLine>
        This device has no room left. What it said was saved is kept, but your changes cannot be sent and what others
        change may not show. Free some space (photos and downloads are quickest): it goes on by itself then.
      </NoticeLine>
    )
  }
  if (storageFails) {
    return (
      <NoticeLine>
        This device’s storage does not answer, so your events cannot be shown. What you saved is still on it. Close
        Beaconry on this device and open it again; meanwhile it keeps trying.
      </NoticeLine>
    )
  }
  if (updateReady && update.ready) {
    return (
      <ActionLine label="Update" onPress={update.apply}>
        A new version of Beaconry is ready. What you typed is kept.
      </ActionLine>
    )
  }
  if (tooOld || unreadable > 0) {
    return (
      <ActionLine label="Look for It" onPress={lookForUpdate}>
        {tooOld
          ? 'The server needs a newer version of this app. Everything is kept on this device and goes out after the update.'
          : 'Some of your data was made by a newer version of Beaconry and is not shown yet. Everything else is up to date.'}
      </ActionLine>
    )
  }
  if (offered > 0) {
    return (
      <ActionLine label="Understood" onPress={() => offeredAgain.set(0)}>
        The server was brought back to an earlier state. {offered === 1 ? 'One change' : `${offered} changes`} from this
        device {offered === 1 ? 'is' : 'are'} sent to it again. E-mails that may have left before are not sent twice:
        the event’s mail log shows them.
      </ActionLine>
    )
  }
  // The badge says it too; a line that comes and goes would move the list below it.
  if (unreachable && !badgeShown) return <OfflineLine />
  return installOffered && install.offered ? <InstallNotice offer={install} /> : null
}

export function AppFrame() {
  const session = useSession()
  const queue = useOutbox()
  const theme = useTheme()
  const [year] = useState(() => serverNow().getFullYear())
  const leaving = useSignOut(session.user)
  const [dismissedFor, setDismissedFor] = useState<User | null>(null)
  useArrival()
  useSignedOutElsewhere()
  useQueueNews(queue.items)
  const applied = useApplied()
  usePrefetch()

  const ended = session.state === 'ended' ? session.user : null
  // The sign-in page asks by itself, perhaps for another account.
  const asksItself = useLocation().pathname === paths.auth
  const signingIn = ended !== null && dismissedFor !== ended && !asksItself
  const badgeShown = session.user !== null || queue.items.length > 0
  return (
    <>
      <Shell
        nav={nav}
        user={session.state === 'loading' ? undefined : session.user && shellUser(session.user, leaving.start)}
        signedOut={applied ? [myApplications, ...signedOutLinks] : signedOutLinks}
        footer={footer}
        year={year}
        themeToggle={<ThemeToggle value={theme.choice} onChange={theme.choose} />}
        syncBadge={
          badgeShown && (
            <SyncBadge state={queue.badge} waiting={queue.waiting} attention={queue.attention} to={paths.sync} />
          )
        }
        notice={
          <Notices
            ended={ended !== null && !signingIn && !asksItself}
            badgeShown={badgeShown}
            onSignIn={() => setDismissedFor(null)}
          />
        }
      >
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </Shell>
      {ended && <SignInAgainDialog email={ended.email} open={signingIn} onClose={() => setDismissedFor(ended)} />}
      {leaving.dialog}
      <LiveRegion />
      <Toaster />
    </>
  )
}
