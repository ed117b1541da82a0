import { usePushAlerts } from '../../device/push-alerts.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { AlertedDeviceList } from './alerted-device-list.tsx'
import { AlertsRow } from './alerts-row.tsx'
import { QuietHoursRow } from './quiet-hours-row.tsx'
import { TestAlertRow } from './test-alert-row.tsx'
import type { AlertedDevices } from './use-alerted-devices.ts'

/** Alerts about new applications: on this device, whether they arrive, when not, and on which other devices. */
export function AlertsCard({ alerted, onChanged }: { alerted: AlertedDevices; onChanged: () => void }) {
  const alerts = usePushAlerts()
  const { devices, reload } = alerted
  const isOn = alerts.state === 'on'
  const here = devices?.find(({ current }) => current)
  return (
    <Card as="section" aria-labelledby="alerts">
      <CardTitle id="alerts">Alerts</CardTitle>
      <AlertsRow alerts={alerts} onChanged={onChanged} />
      {isOn && <TestAlertRow isKnown={devices === null || here !== undefined} onDone={reload} />}
      {isOn && here && <QuietHoursRow device={here} onChanged={() => void reload()} />}
      <AlertedDeviceList alerted={alerted} onChanged={onChanged} turnOffHere={isOn ? alerts.turnOff : null} />
    </Card>
  )
}
