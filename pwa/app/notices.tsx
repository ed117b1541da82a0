import { WifiOff } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { isTooOld, offeredAgain, pendingEntries, reachability, replicaState } from '../sync/index.ts'
import { isDeviceFull } from '../browser/browser-storage.ts'
import { observable, useObservable } from '../browser/observable.ts'
import { storageTrouble } from '../browser/storage-trouble.ts'
import { lookForUpdate, useAppUpdate } from '../device/app-update.ts'
import { browserLimits, whyEmpty } from '../device/browser-limits.ts'
import { useDismissal } from '../device/dismissals.ts'
import { useInstall } from '../device/install.ts'
import { noteStorageCleared, useStorageCleared } from '../device/storage-cleared.ts'
import { Button } from '../ui/button.tsx'
import { HomeScreenSteps } from '../ui/page/home-screen-steps.tsx'

/** Shows one row under the header, with at most one action. */
function NoticeLine({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="no-print bleed border-b border-base-300 bg-quiet-soft text-sm">
      <div className="mx-auto flex min-h-10 max-w-6xl items-center gap-2.5 px-4 py-1 sm:px-6">
        {icon}
        <output className="min-w-0 flex-1">{children}</output>
        {action}
      </div>
    </div>
  )
}

const acted = observable(false)

/** Offered when the browser can install, the offer was not declined, and this visit queued something. */
function useInstallOffer() {
  const { state, install } = useInstall()
  const { account, visitor } = useObservable(pendingEntries)
  const { dismissed, dismiss } = useDismissal('install')
  const hasActed = useObservable(acted)
  const acting = account.length + visitor.length > 0
  useEffect(() => {
    if (acting) acted.set(true)
  }, [acting])
  return {
    offered: (state === 'available' || state === 'by-hand') && !dismissed && hasActed,
    /** iOS installs only by hand, in Safari's own menu. */
    byHand: state === 'by-hand',
    install: () => void install().then(dismiss, () => undefined),
    dismiss,
  }
}

function InstallNotice({ offer }: { offer: ReturnType<typeof useInstallOffer> }) {
  return (
    <NoticeLine
      action={
        <span className="flex flex-wrap gap-1">
          {!offer.byHand && (
            <Button variant="secondary" size="small" onClick={offer.install}>
              Install
            </Button>
          )}
          <Button variant="ghost" size="small" onClick={offer.dismiss}>
            Not now
          </Button>
        </span>
      }
    >
      Keep Beaconry on your home screen: it opens without a network. {offer.byHand && <HomeScreenSteps />}
    </NoticeLine>
  )
}

/** Keeps a value as of arrival on the page, so that a notice never moves a list under a finger. */
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

export function Notices(props: { ended: boolean; badgeShown: boolean; onSignIn: () => void }): ReactNode {
  const { ended, badgeShown, onSignIn } = props
  const unreachable = useObservable(reachability) === 'unreachable'
  const update = useAppUpdate()
  const tooOld = useObservable(isTooOld)
  const { unreadable } = useObservable(replicaState)
  const trouble = useObservable(storageTrouble)
  const offered = useObservable(offeredAgain)
  const cleared = useStorageCleared()
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
  if (cleared) {
    return (
      <ActionLine label="Understood" onPress={() => noteStorageCleared(false)}>
        Your browser has cleared what Beaconry kept on this device. What our server has comes back automatically.
        Changes, applications and drafts that were not sent are lost: please check your latest ones and make them again.{' '}
        {whyEmpty(browserLimits())}
      </ActionLine>
    )
  }
  if (full) {
    return (
      <NoticeLine>
        This device has no room left. What it said was saved is kept, but your changes cannot be sent and what others
        change may not show. Free some space (photos and downloads are quickest): it continues automatically then.
      </NoticeLine>
    )
  }
  if (trouble) {
    return (
      <ActionLine label="Reload" onPress={() => location.reload()}>
        {unreachable
          ? 'This device’s storage isn’t responding, and there is no network to show your events from. What you saved is still on this device.'
          : 'This device’s storage isn’t responding. You see what the server has, and what you decide is not saved yet.'}{' '}
        Beaconry keeps trying.
      </ActionLine>
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
      <ActionLine label="Check for Update" onPress={lookForUpdate}>
        {tooOld
          ? 'The server needs a newer version of this app. Everything is kept on this device and will be sent after the update.'
          : 'Some of your data was made by a newer version of Beaconry and is not shown yet. Everything else is up to date.'}
      </ActionLine>
    )
  }
  if (offered > 0) {
    return (
      <ActionLine label="Understood" onPress={() => offeredAgain.set(0)}>
        The server was brought back to an earlier state. {offered === 1 ? 'One change' : `${offered} changes`} from this
        device {offered === 1 ? 'is' : 'are'} sent to it again. Emails that may have left before are not sent twice: the
        event’s mail log shows them.
      </ActionLine>
    )
  }
  // The badge says it too; a line that comes and goes would move the list below it.
  if (unreachable && !badgeShown) {
    return (
      <NoticeLine icon={<WifiOff className="size-4 shrink-0 text-muted" />}>
        Offline. You see what is saved on this device.
      </NoticeLine>
    )
  }
  return installOffered && install.offered ? <InstallNotice offer={install} /> : null
}
