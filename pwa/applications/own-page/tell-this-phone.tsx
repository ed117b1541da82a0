import type { ReactNode } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { useObservable, reachability } from '../../sync/index.ts'
import { useTellThisPhone } from '../../device/applicant-alerts.ts'
import type { AlertState } from '../../device/push-alerts.ts'
import { Card } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { announce } from '../../ui/live-region.tsx'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { toast } from '../../ui/toast.ts'

const blocked: Partial<Record<AlertState, string>> = {
  denied: 'Notifications are blocked here. Only the settings of your browser can allow them again.',
  'needs-install':
    'This device can tell you the answer, but only from the home screen: in Safari press Share, then Add to Home Screen, and open this page from there.',
}

/**
 * Renders nothing where alerts are impossible, or where neither news is to come nor anything can be turned off.
 * @param waiting there may be news: the application was not withdrawn
 */
export function TellThisPhone(props: {
  token: string
  application: Pick<OwnApplication, 'id' | 'status'>
  waiting: boolean
}) {
  const { token, application, waiting } = props
  const { state, busy, change } = useTellThisPhone({ applicationId: application.id, token })
  const unreachable = useObservable(reachability) === 'unreachable'
  const isOn = state === 'on'
  const mayCome = waiting && application.status !== 'rejected'
  if (state === 'unsupported' || (!isOn && !mayCome)) return null

  const press = async (wanted: boolean) => {
    try {
      const next = await change(wanted)
      if (next === 'on') announce('This device tells you when there is news.')
      if (next === 'denied') {
        toast({
          title: 'This device stays silent',
          description: 'You can allow notifications in your browser’s settings.',
        })
      }
    } catch (error) {
      toastFailure(wanted ? 'This device cannot be told' : 'It could not be turned off', error)
    }
  }

  const reason = blocked[state]
  if (reason !== undefined) {
    return (
      <Frame>
        <p className="font-medium">Tell this device</p>
        <p className="text-sm text-muted">{reason}</p>
      </Frame>
    )
  }
  return (
    <Frame>
      <CheckboxField
        look="switch"
        label="Tell this device"
        hint={hintOf({ isOn, busy, unreachable })}
        checked={isOn}
        disabled={busy || state === 'checking'}
        onChange={({ target }) => void press(target.checked)}
      />
    </Frame>
  )
}

function hintOf({ isOn, busy, unreachable }: { isOn: boolean; busy: boolean; unreachable: boolean }): string {
  if (busy) return 'One moment…'
  if (isOn) return 'It tells you when there is news. Neither your name nor the answer stands on the lock screen.'
  if (unreachable) return 'Turning it on needs a connection. Your application is safe without it.'
  return 'Get a notification when there is news. Neither your name nor the answer stands on the lock screen.'
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Card as="section" padding="tight" className="mt-5" aria-label="News on this device">
      {children}
    </Card>
  )
}
