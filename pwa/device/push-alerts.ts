import { useCallback, useEffect, useState } from 'react'
import { call, Unreachable } from '../api/call.ts'
import { isInstalled, isIos } from './install.ts'

/**
 * `needs-install`: iOS gives alerts to home-screen apps only. `ask`: nobody decided yet, or alerts were turned off here.
 * `denied`: only the browser's own settings can change it.
 */
export type PushState = 'checking' | 'unsupported' | 'needs-install' | 'denied' | 'ask' | 'on'

/** The push service did not answer: some networks and browsers have none. */
export class NoPushService extends Error {
  override readonly name = 'NoPushService'
  constructor() {
    super('The alert service of this browser does not answer. Please try again on another network.')
  }
}

/** `pushManager.subscribe` hangs for ever without a push service. */
const subscribeTimeoutMs = 15_000
const unsubscribeTimeoutMs = 5_000

/** What alerts are like on this device now. */
export async function readPushState(): Promise<Exclude<PushState, 'checking'>> {
  const supported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!supported) return isIos() && !isInstalled() ? 'needs-install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (Notification.permission === 'default') return 'ask'
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'ask'
}

/**
 * Asks for permission, subscribes and tells the server. Call it from a press only.
 * @throws NoPushService, or an error of the call
 */
export async function turnOnPush(): Promise<Exclude<PushState, 'checking'>> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'ask'
  const { publicKey } = await call('getPushKey')
  const registration = await navigator.serviceWorker.ready
  const subscription = await withTimeout(
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
    subscribeTimeoutMs,
  )
  await tellServer(subscription)
  return 'on'
}

/** Repeats the subscription to the server, which may have lost it; harmless when it has not. */
export async function refreshPush(): Promise<void> {
  if ((await readPushState()) !== 'on') return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await tellServer(subscription)
}

/** Ends alerts on this device and tells the server. */
export async function turnOffPush(): Promise<void> {
  const endpoint = await turnOffPushHere()
  if (endpoint === null) return
  await call('unsubscribePush', { body: { endpoint } }).catch((error: unknown) => {
    // The push service answers for a subscription that no longer exists; the server learns it there.
    if (!(error instanceof Unreachable)) throw error
  })
}

/** Ends alerts on this device without a word to the server. @returns the address they went to, null when there was none */
export async function turnOffPushHere(): Promise<string | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  if (!subscription) return null
  await withTimeout(subscription.unsubscribe(), unsubscribeTimeoutMs)
  return subscription.endpoint
}

async function tellServer(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await call('subscribePush', {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } },
  })
}

function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoPushService()), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Alerts on this device. `turnOn` and `turnOff` reject with an error whose message can be shown. */
export function usePushAlerts(): {
  readonly state: PushState
  readonly busy: boolean
  readonly turnOn: () => Promise<PushState>
  readonly turnOff: () => Promise<void>
} {
  const [state, setState] = useState<PushState>('checking')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let gone = false
    readPushState().then(
      (read) => gone || setState(read),
      () => gone || setState('unsupported'),
    )
    return () => {
      gone = true
    }
  }, [])
  const turnOn = useCallback(async () => {
    setBusy(true)
    try {
      const next = await turnOnPush()
      setState(next)
      return next
    } finally {
      setBusy(false)
    }
  }, [])
  const turnOff = useCallback(async () => {
    setBusy(true)
    try {
      await turnOffPush()
      setState(await readPushState())
    } finally {
      setBusy(false)
    }
  }, [])
  return { state, busy, turnOn, turnOff }
}
