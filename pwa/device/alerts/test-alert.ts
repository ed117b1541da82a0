import { call } from '../../sync/index.ts'
import { currentSubscription } from './push-alerts.ts'

/** Push services take a second or two; a sleeping phone takes longer. */
export const testAlertTimeoutMs = 20_000

/** @param onArrived called with the id of each test alert that reaches this device @returns stops listening */
export function onTestAlert(onArrived: (testId: string) => void): () => void {
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    const { type, testId } = (data ?? {}) as { type?: unknown; testId?: unknown }
    if (type === 'test-alert' && typeof testId === 'string') onArrived(testId)
  }
  navigator.serviceWorker?.addEventListener('message', onMessage)
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage)
}

/** @returns the id that the alert will bring @throws an error whose message can be shown */
export async function requestTestAlert(): Promise<string> {
  const endpoint = (await currentSubscription())?.endpoint
  if (endpoint === undefined) throw new Error('Alerts are off on this device. Please turn them on again.')
  return (await call('sendTestAlert', { body: { endpoint } })).testId
}

/**
 * Sends this device an alert and waits for it. The alert may be faster than the answer of the server.
 * @returns milliseconds until it arrived; null when it is late
 * @throws an error whose message can be shown
 */
export async function measureTestAlert(): Promise<number | null> {
  const arrived = new Set<string>()
  let look = () => {}
  const stop = onTestAlert((id) => {
    arrived.add(id)
    look()
  })
  const startedMs = performance.now()
  try {
    const testId = await requestTestAlert()
    return await new Promise<number | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), testAlertTimeoutMs)
      look = () => {
        if (!arrived.has(testId)) return
        clearTimeout(timer)
        resolve(performance.now() - startedMs)
      }
      look()
    })
  } finally {
    stop()
  }
}
