import { BellRing } from 'lucide-react'
import { useDismissal } from '../device/dismissals.ts'
import { usePushAlerts } from '../device/push-alerts.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { toast } from '../ui/toast.ts'

/**
 * Offers alerts about new applications where an organizer waits for them. Renders nothing where alerts are on, refused for good,
 * impossible, or were not wanted before.
 */
export function PushCard() {
  const { state, busy, turnOn } = usePushAlerts()
  const { dismissed, dismiss } = useDismissal('push-card')
  if (dismissed || (state !== 'ask' && state !== 'needs-install')) return null

  const start = async () => {
    try {
      const next = await turnOn()
      if (next === 'on') toast({ title: 'Alerts are on', description: 'This device tells you when someone applies.' })
      if (next === 'denied') {
        toast({ title: 'Alerts stay off', description: 'You can allow them in the settings of your browser.' })
      }
    } catch (error) {
      const description = error instanceof Error ? error.message : undefined
      toast({ variant: 'destructive', title: 'Alerts could not be turned on', description })
    }
  }

  return (
    <Card as="section" tone="quiet" padding="tight" aria-labelledby="push-card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <BellRing aria-hidden="true" className="size-6 shrink-0 text-signal" />
        <div className="min-w-0 flex-[1_1_14rem]">
          <h2 id="push-card" className="text-base">
            Get an alert when someone applies
          </h2>
          <p className="text-sm text-muted">
            {state === 'ask'
              ? 'On this device, without the applicant’s name on the lock screen.'
              : 'On this phone alerts need the app: in Safari press Share, then Add to Home Screen, and open Beaconry from there.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'ask' && (
            <Button variant="secondary" pending={busy} pendingText="Turning on..." onClick={() => void start()}>
              Turn On Alerts
            </Button>
          )}
          <Button variant="ghost" onClick={dismiss}>
            Not now
          </Button>
        </div>
      </div>
    </Card>
  )
}
