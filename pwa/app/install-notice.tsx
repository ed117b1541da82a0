import { useEffect } from 'react'
import { observable, useObservable, pendingEntries } from '../sync/index.ts'
import { useDismissal } from '../device/dismissals.ts'
import { useInstall } from '../device/install.ts'
import { Button } from '../ui/button.tsx'
import { NoticeLine } from '../ui/shell.tsx'

const acted = observable(false)

/** Offered when the browser can install, the offer was not declined, and this visit queued something. */
export function useInstallOffer() {
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

export function InstallNotice({ offer }: { offer: ReturnType<typeof useInstallOffer> }) {
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
      {offer.byHand
        ? 'Keep Beaconry at hand: press Share, then Add to Home Screen. It opens without a network.'
        : 'Keep Beaconry on your home screen: it opens without a network.'}
    </NoticeLine>
  )
}
