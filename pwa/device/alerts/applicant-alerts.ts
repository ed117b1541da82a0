import { useCallback } from 'react'
import { call, Refused, Unreachable, serverNow } from '../../sync/index.ts'
import {
  currentSubscription,
  endSubscriptionOfApplicants,
  pushPossibility,
  subscribeForApplicant,
  subscriptionBody,
  type AlertState,
  useAlertState,
  withPermission,
} from './push-alerts.ts'
import { forgetTold, keepTold, readTold } from './told-applications.ts'

/** The server may have lost a phone, to newer ones or with a backup: the app registers it again after a day. */
const repeatAfterMs = 86_400_000

interface Own {
  readonly applicationId: number
  readonly token: string
}

/** @throws without a push service, or an error of the call */
async function tell({ applicationId, token }: Own): Promise<void> {
  const subscription = await subscribeForApplicant()
  await call('tellThisPhone', { body: { token, ...subscriptionBody(subscription) } })
  await keepTold(applicationId, { token, endpoint: subscription.endpoint, toldAt: serverNow().toISOString() })
}

/** Also repairs what the browser or the server has lost. */
async function readTellState(own: Own): Promise<AlertState> {
  const possibility = pushPossibility()
  if (possibility !== 'possible') return possibility
  const known = (await readTold())[own.applicationId]
  if (!known || Notification.permission !== 'granted') return 'off'
  const isKept = (await currentSubscription())?.endpoint === known.endpoint
  if (isKept && serverNow().getTime() - Date.parse(known.toldAt) < repeatAfterMs) return 'on'
  return await tell(own).then(
    () => 'on',
    () => (isKept ? 'on' : 'off'),
  )
}

/** @throws when the subscription serves others too: only the server can end this one */
export async function stopTelling({ applicationId, token }: Own): Promise<void> {
  const { [String(applicationId)]: known, ...others } = await readTold()
  const endpoint = (await currentSubscription())?.endpoint ?? known?.endpoint
  const isLast = Object.keys(others).length === 0
  try {
    if (endpoint !== undefined) await call('stopTellingThisPhone', { body: { token, endpoint } })
    if (isLast) await endSubscriptionOfApplicants()
  } catch (error) {
    if (error instanceof Unreachable) {
      // The push service will answer that it is gone, and the server forgets it then.
      if (!isLast || !(await endSubscriptionOfApplicants()))
        throw new Error('Turning this off needs a connection: other news comes to this device in the same way.', {
          cause: error,
        })
    } else if (!(error instanceof Refused && error.status === 404)) throw error
  }
  await forgetTold(applicationId)
}

/** `change` rejects with a message to show. */
export function useTellThisPhone({ applicationId, token }: Own) {
  const read = useCallback(() => readTellState({ applicationId, token }), [applicationId, token])
  const { change, ...alerts } = useAlertState(read)
  const turnOff = async (): Promise<AlertState> => {
    await stopTelling({ applicationId, token })
    return 'off'
  }
  return {
    ...alerts,
    change: (wanted: boolean) => change(wanted ? () => withPermission(() => tell({ applicationId, token })) : turnOff),
  }
}
