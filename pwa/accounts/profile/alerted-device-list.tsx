import { BellRing, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call, type questions } from '../../sync/index.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { toast } from '../../ui/toast.ts'
import { formatClock, formatShortDay } from '../../ui/page/local-time.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { quietText } from './quiet-hours-row.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

const nameOf = ({ deviceName }: AlertedDevice) => deviceName ?? 'A device without a name'

/** @param turnOffHere ends alerts on this device; null where they are off, even if the server still lists it */
export function AlertedDeviceList(props: {
  alerted: questions.Answered<readonly AlertedDevice[]>
  onChanged: () => void
  turnOffHere: (() => Promise<unknown>) | null
}) {
  const { onChanged, turnOffHere } = props
  const { answer: devices, failure, ask } = props.alerted
  const [ending, setEnding] = useState<AlertedDevice | null>(null)
  const [busy, run] = useAction('Alerts could not be turned off')

  const end = async () => {
    if (!ending) return
    await run(async () => {
      if (ending.current && turnOffHere) await turnOffHere()
      else await call('endAlerts', { params: { id: ending.id } })
      toast({ title: 'Alerts are off', description: `${nameOf(ending)} no longer gets alerts.` })
      setEnding(null)
      onChanged()
    })
  }

  return (
    <section aria-labelledby="alerted-devices" className="border-t border-base-300 pt-3">
      <h3 id="alerted-devices" className="text-sm font-normal text-muted">
        Devices with alerts
      </h3>
      {devices ? (
        <>
          {devices.length === 0 && <p>None. Turn alerts on where you want to hear of applications.</p>}
          <ul>
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} onEnd={() => setEnding(device)} />
            ))}
          </ul>
        </>
      ) : failure === null ? (
        <div className="-mx-4">
          <Skeleton shape="row" count={1} label="Loading the devices with alerts" />
        </div>
      ) : (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-[1_1_12rem]">
            {failure.kind === 'unreachable' ? 'This list needs a connection.' : 'This list could not be loaded.'}
          </p>
          <Button variant="secondary" onClick={() => void ask()}>
            Load Again
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        onConfirm={() => void end()}
        title={`Turn off alerts on ${ending ? nameOf(ending) : ''}?`}
        confirmLabel="Turn Off Alerts"
        pending={busy}
        pendingText="Turning off..."
      >
        It no longer gets alerts about new applications. It stays signed in; alerts can only be turned on again there.
      </ConfirmDialog>
    </section>
  )
}

function formatWhen(instant: string, now: Date): string {
  const day = formatShortDay(instant, now)
  return day === formatShortDay(now.toISOString(), now) ? formatClock(instant) : day
}

function DeviceRow({ device, onEnd }: { device: AlertedDevice; onEnd: () => void }) {
  const now = useNow()
  const { since, lastDeliveredAt, failing, current, quietHours, showNames } = device
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-base-300 py-3 first:border-0 last:pb-0">
      <BellRing className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-[1_1_10rem]">
        <h4 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base break-words">
          {nameOf(device)}
          {current && <Badge tone="signal">This device</Badge>}
          {failing && (
            <Badge tone="error" icon={<TriangleAlert className="size-4" />}>
              Not getting through
            </Badge>
          )}
        </h4>
        <p className="text-sm text-muted">
          {lastDeliveredAt ? `Last alert delivered ${formatWhen(lastDeliveredAt, now)}` : 'No alert delivered yet'}
          <span className="block">Since {formatShortDay(since, now)}</span>
          {showNames && !current && <span className="block">Shows names on its lock screen</span>}
          {quietHours && !current && <span className="block">Quiet {quietText(quietHours)}</span>}
        </p>
      </div>
      <Button variant="secondary" aria-label={`Turn off alerts: ${nameOf(device)}`} onClick={onEnd}>
        Turn Off
      </Button>
    </li>
  )
}
