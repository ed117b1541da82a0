import type { User } from '#shared/accounts/account-calls.ts'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import type { Answered } from '../../api/question.ts'
import { usePushAlerts } from '../../device/push-alerts.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { AlertedDeviceList } from './alerted-device-list.tsx'
import { AlertsRow } from './alerts-row.tsx'
import { MailRow } from './mail-row.tsx'
import { QuietHoursRow } from './quiet-hours-row.tsx'
import { TestAlertRow } from './test-alert-row.tsx'

/** Word of new applications: alerts on this device, whether they arrive, when not, by mail instead, and on which other devices. */
export function AlertsCard({
  user,
  alerted,
  onChanged,
}: {
  user: User | null
  alerted: Answered<readonly AlertedDevice[]>
  onChanged: () => void
}) {
  const alerts = usePushAlerts()
  const { answer: devices, ask } = alerted
  const isOn = alerts.state === 'on'
  const here = devices?.find(({ current }) => current)
  return (
    <Card as="section" aria-labelledby="alerts">
      <CardTitle id="alerts">Alerts</CardTitle>
      <AlertsRow alerts={alerts} onChanged={onChanged} />
      {(isOn || alerts.state === 'checking') && (
        <TestAlertRow isKnown={devices === null || here !== undefined} onDone={ask} />
      )}
      {isOn && here && <QuietHoursRow device={here} onChanged={() => void ask()} />}
      {user && <MailRow user={user} isAlerted={devices && devices.length > 0} />}
      <AlertedDeviceList alerted={alerted} onChanged={onChanged} turnOffHere={isOn ? alerts.turnOff : null} />
    </Card>
  )
}
