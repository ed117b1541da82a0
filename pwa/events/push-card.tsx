import { BellRing } from 'lucide-react'
import { useDismissal } from '../device/dismissals.ts'
import { usePushAlerts } from '../device/alerts/push-alerts.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { HomeScreenSteps } from '../ui/page/home-screen-steps.tsx'
import { toast } from '../ui/toast.ts'

/** Renders nothing where alerts are on, denied, impossible or declined. */
export function PushCard() {
  const { state, busy, turnOn } = usePushAlerts()
  const { dismissed, dismiss } = useDismissal('push-card')
  if (dismissed || (state !== 'off' && state !== 'needs-install')) return null

  const start = async () => {
    try {
      const next = await turnOn()
      if (next === 'on') toast({ title: 'Alerts are on', description: 'This device tells you when someone applies.' })
      if (next === 'denied') {
        toast({ title: 'Alerts stay off', description: 'You can allow them in the settings of your browser.' })
      }
    } catch (error) {
      toastFailure('Alerts could not be turned on', error)
    }
  }

  return (
    <Card as="section" tone="quiet" padding="tight" aria-labelledby="push-card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <BellRing className="size-6 shrink-0 text-signal" />
        <div className="min-w-0 flex-[1_1_14rem]">
          <h2 id="push-card" className="text-base">
            Get an alert when someone applies
          </h2>
          <p className="text-sm text-muted">
            {state === 'off' ? (
              'On this device, without the applicant’s name on the lock screen.'
            ) : (
              <>
                Add Beaconry to your home screen first, and turn alerts on there. <HomeScreenSteps />
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'off' && (
            <Button variant="secondary" pending={busy} pendingText="Turning on..." onClick={() => void start()}>
              Turn On Alerts
            </Button>
          )}
          <Button variant="ghost" flush={state === 'off' ? undefined : 'start'} onClick={dismiss}>
            Not now
          </Button>
        </div>
      </div>
    </Card>
  )
}
