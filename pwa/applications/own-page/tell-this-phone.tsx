import type { ReactNode } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { reachability } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { useTellThisPhone } from '../../device/alerts/applicant-alerts.ts'
import type { AlertState } from '../../device/alerts/push-alerts.ts'
import { Card } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { announce } from '../../ui/live-region.tsx'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { HomeScreenSteps } from '../../ui/page/home-screen-steps.tsx'
import { toast } from '../../ui/toast.ts'

const blocked: Partial<Record<AlertState, ReactNode>> = {
  denied: 'Notifications are blocked here. Only the settings of your browser can allow them again.',
  'needs-install': (
    <>
      To be notified here, copy your private link below and add Beaconry to your home screen. <HomeScreenSteps /> In the
      app, paste the link under “Your Applications”.
    </>
  ),
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
      if (next === 'on') announce('Notifications are on for this device.')
      if (next === 'denied') {
        toast({
          title: 'Notifications are off for this device',
          description: 'You can allow notifications in your browser’s settings.',
        })
      }
    } catch (error) {
      toastFailure(wanted ? 'Notifications could not be turned on' : 'It could not be turned off', error)
    }
  }

  const reason = blocked[state]
  if (reason !== undefined) {
    return (
      <Frame>
        <p className="font-medium">Notify me here</p>
        <p className="text-sm text-muted">{reason}</p>
      </Frame>
    )
  }
  return (
    <Frame>
      <CheckboxField
        look="switch"
        label="Notify me here"
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
  if (isOn)
    return 'You get a notification when there is news. Neither your name nor the answer shows on the lock screen.'
  if (unreachable) return 'Turning it on needs a connection. Your application is safe without it.'
  return 'Get a notification when there is news. Neither your name nor the answer shows on the lock screen.'
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Card as="section" padding="tight" className="mt-5" aria-label="News on this device">
      {children}
    </Card>
  )
}
