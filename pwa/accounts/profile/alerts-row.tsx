import type { PushState, usePushAlerts } from '../../device/push-alerts.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'

const texts: Record<PushState, string> = {
  checking: '…',
  on: 'On: this device tells you when someone applies.',
  ask: 'Off on this device.',
  denied: 'Blocked. Only the settings of your browser can allow them again.',
  'needs-install': 'On this phone alerts need the app: in Safari press Share, then Add to Home Screen.',
  unsupported: 'This browser has no alerts.',
}

/** Alerts about new applications on this device, on or off. */
export function AlertsRow({
  alerts: { state, busy, turnOn, turnOff },
  onChanged,
}: {
  alerts: ReturnType<typeof usePushAlerts>
  onChanged: () => void
}) {
  const change = async (work: () => Promise<unknown>, failed: string) => {
    try {
      await work()
      onChanged()
    } catch (error) {
      const description = error instanceof Error ? error.message : undefined
      toast({ variant: 'destructive', title: failed, description })
    }
  }

  return (
    <FactRow
      term="This device"
      action={
        state === 'on' ? (
          <Button
            variant="secondary"
            pending={busy}
            pendingText="Turning off..."
            onClick={() => void change(turnOff, 'Alerts could not be turned off')}
          >
            Turn Off Alerts
          </Button>
        ) : (
          state === 'ask' && (
            <Button
              variant="secondary"
              pending={busy}
              pendingText="Turning on..."
              onClick={() => void change(turnOn, 'Alerts could not be turned on')}
            >
              Turn On Alerts
            </Button>
          )
        )
      }
    >
      {texts[state]}
    </FactRow>
  )
}
