import type { ReactNode } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call, type questions } from '../../sync/index.ts'
import { usePushAlerts, type AlertState } from '../../device/alerts/push-alerts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { toast } from '../../ui/toast.ts'
import { HomeScreenSteps } from '../../ui/page/home-screen-steps.tsx'
import { AlertedDeviceList } from './alerted-device-list.tsx'
import { FactRow } from './fact-row.tsx'
import { useMailPreference } from './profile-answers.ts'
import { NamesRow } from './names-row.tsx'
import { QuietHoursRow } from './quiet-hours-row.tsx'
import { TestAlertRow } from './test-alert-row.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

export function AlertsCard(props: {
  user: User | null
  alerted: questions.Answered<readonly AlertedDevice[]>
  onChanged: () => void
}) {
  const { user, alerted, onChanged } = props
  const alerts = usePushAlerts()
  const { answer: devices, ask, take } = alerted
  const isOn = alerts.state === 'on'
  const here = devices?.find(({ current }) => current)
  // The answer to the change is shown, because a list that was asked for earlier may arrive later.
  const showChanged = (changed: AlertedDevice) =>
    devices && take(devices.map((device) => (device.id === changed.id ? changed : device)))
  return (
    <Card title="Alerts">
      <AlertsRow alerts={alerts} onChanged={onChanged} />
      {(isOn || alerts.state === 'checking') && (
        <TestAlertRow isKnown={devices === null || here !== undefined} onDone={ask} />
      )}
      {isOn && here && <QuietHoursRow device={here} onChanged={showChanged} />}
      {isOn && here && <NamesRow device={here} onChanged={showChanged} />}
      {user && <MailRow user={user} isAlerted={devices && devices.length > 0} />}
      <AlertedDeviceList alerted={alerted} onChanged={onChanged} turnOffHere={isOn ? alerts.turnOff : null} />
    </Card>
  )
}

const alertTexts: Record<AlertState, ReactNode> = {
  checking: '…',
  on: 'On: this device tells you when someone applies.',
  off: 'Off on this device.',
  denied: 'Blocked. Only the settings of your browser can allow them again.',
  'needs-install': (
    <>
      To get alerts here, add Beaconry to your home screen first. <HomeScreenSteps />
    </>
  ),
  unsupported: 'This browser has no alerts.',
}

function AlertsRow(props: { alerts: ReturnType<typeof usePushAlerts>; onChanged: () => void }) {
  const { state, busy, turnOn, turnOff } = props.alerts
  const change = async (work: () => Promise<unknown>, failed: string) => {
    try {
      await work()
      props.onChanged()
    } catch (error) {
      toastFailure(failed, error)
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
          state === 'off' && (
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
      {alertTexts[state]}
    </FactRow>
  )
}

const mailTerm = 'Email me about new applications'

/** @param isAlerted a device of the user has alerts, which replace such mails; null while unknown */
function MailRow({ user, isAlerted }: { user: User; isAlerted: boolean | null }) {
  const { answer: isOn, failure, ask, take } = useMailPreference()
  const [busy, run] = useAction('Your choice was not saved')

  const change = async (newApplications: boolean) => {
    await run(async () => {
      take((await call('setMailPreferences', { body: { newApplications } })).newApplications)
      toast({ title: newApplications ? 'Emails are on' : 'Emails are off' })
    })
  }

  if (isOn === null && failure !== null) {
    return (
      <FactRow
        term={mailTerm}
        action={
          <Button variant="secondary" onClick={() => void ask()}>
            Load Again
          </Button>
        }
      >
        {failure.kind === 'unreachable' ? 'This needs a connection.' : 'This could not be loaded.'}
      </FactRow>
    )
  }
  // Holds the space of the usual answer, so that nothing below moves.
  const visibility = isOn === null ? 'invisible' : undefined
  return (
    <FactRow
      term={mailTerm}
      action={
        <span className={visibility}>
          <Button
            variant="secondary"
            pending={busy}
            pendingText="Saving..."
            onClick={() => void change(!isOn)}
            disabled={isOn === null}
          >
            {isOn === false ? 'Turn On Emails' : 'Turn Off Emails'}
          </Button>
        </span>
      }
    >
      <div className={visibility}>
        {isOn === false ? 'Off.' : 'On: one email gathers who applied within ten minutes.'}
        {isOn !== false && <p className="text-sm text-muted">{whenSilent(user, isAlerted)}</p>}
      </div>
    </FactRow>
  )
}

function whenSilent({ email, emailVerified }: User, isAlerted: boolean | null): string {
  if (!emailVerified) return 'None is sent before you have confirmed your email.'
  return isAlerted
    ? 'None is sent while a device of yours has alerts.'
    : `To ${email}, as no device of yours has alerts.`
}
