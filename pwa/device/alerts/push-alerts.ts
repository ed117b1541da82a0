import { useEffect, useState } from 'react'
import { call, Unreachable } from '../../sync/index.ts'
import { deleteSetting, readSetting, writeSetting } from '../device-db.ts'
import { isInstalled, isIos } from '../install.ts'
import { readTold } from './told-applications.ts'

/**
 * `needs-install` means that iOS gives alerts to home-screen apps only, `off` that alerts are undecided or turned off
 * here, and `denied` that only the browser's settings can change it.
 */
export type AlertState = 'checking' | 'unsupported' | 'needs-install' | 'denied' | 'off' | 'on'

const noPushService = () =>
  new Error('The alert service of this browser does not answer. Please try again on another network.')

/** `pushManager.subscribe` hangs for ever without a push service. */
const subscribeTimeoutMs = 15_000
const unsubscribeTimeoutMs = 5_000
const lookAgainMs = 200

/** An organizer who signs in here has not asked for alerts. */
const applicantsOnly = 'alerts/applicants-only'

export function pushPossibility(): 'possible' | 'unsupported' | 'needs-install' | 'denied' {
  const supported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!supported) return isIos() && !isInstalled() ? 'needs-install' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

export async function readPushState(): Promise<AlertState> {
  const possibility = pushPossibility()
  if (possibility !== 'possible') return possibility
  const subscription = Notification.permission === 'granted' ? await currentSubscription() : null
  return subscription && !(await readSetting<boolean>(applicantsOnly)) ? 'on' : 'off'
}

export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/** Asks for permission: from a press only. */
export async function withPermission(turnOn: () => Promise<void>): Promise<AlertState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  await turnOn()
  return 'on'
}

/** @throws without a push service, or an error of the call */
async function turnOnPush(): Promise<void> {
  await tellServer(await subscribeHere())
  await deleteSetting(applicantsOnly)
}

/**
 * Needs permission. A new subscription serves applicants alone.
 * @throws without a push service, or an error of the call
 */
export async function subscribeForApplicant(): Promise<PushSubscription> {
  const isNew = (await currentSubscription()) === null
  const subscription = await subscribeHere()
  if (isNew) await writeSetting(applicantsOnly, true)
  return subscription
}

async function subscribeHere(): Promise<PushSubscription> {
  const { publicKey } = await call('getPushKey')
  const registration = await activeRegistration()
  return await withTimeout(
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
    subscribeTimeoutMs,
  )
}

/**
 * Polled: `navigator.serviceWorker.ready` may never resolve while a registration is being removed.
 * @throws after as long as a subscription may take
 */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const giveUpAt = performance.now() + subscribeTimeoutMs
  for (;;) {
    const registration = await navigator.serviceWorker.getRegistration()
    if (registration?.active) return registration
    if (performance.now() > giveUpAt) throw noPushService()
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
}

/** The server may have lost it. */
export async function refreshPush(): Promise<void> {
  if ((await readPushState()) !== 'on') return
  const subscription = await currentSubscription()
  if (subscription) await tellServer(subscription)
}

async function turnOffPush(): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  if (Object.keys(await readTold()).length > 0) {
    // The same subscription carries an own application's news: only the server can tell them apart.
    await call('unsubscribePush', { body: { endpoint } })
    await writeSetting(applicantsOnly, true)
    return
  }
  await turnOffPushHere()
  await call('unsubscribePush', { body: { endpoint } }).catch((error: unknown) => {
    // The server learns it from the push service.
    if (!(error instanceof Unreachable)) throw error
  })
}

/** @returns whether the subscription served applicants alone, and was ended */
export async function endSubscriptionOfApplicants(): Promise<boolean> {
  if (!(await readSetting<boolean>(applicantsOnly))) return false
  await turnOffPushHere()
  return true
}

export async function turnOffPushHere(): Promise<void> {
  const subscription = await currentSubscription()
  if (subscription) await withTimeout(subscription.unsubscribe(), unsubscribeTimeoutMs)
  await deleteSetting(applicantsOnly)
}

export function subscriptionBody(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
}

export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

async function tellServer(subscription: PushSubscription): Promise<void> {
  await call('subscribePush', { body: { ...subscriptionBody(subscription), timeZone: zoneHere() } })
}

function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noPushService()), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Guesses at once, so that little moves later. */
function guessState(): AlertState {
  const possibility = pushPossibility()
  if (possibility !== 'possible') return possibility
  return Notification.permission === 'granted' ? 'checking' : 'off'
}

/** `turnOn` and `turnOff` reject with an error whose message can be shown. */
export function usePushAlerts() {
  const { state, busy, change } = useAlertState(readPushState)
  const turnOn = () => change(() => withPermission(turnOnPush))
  const turnOff = () => change(() => turnOffPush().then(readPushState))
  return { state, busy, turnOn, turnOff }
}

/** `change` rejects as its work does. @param read the same function at every rendering */
export function useAlertState(read: () => Promise<AlertState>) {
  const [state, setState] = useState(guessState)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let gone = false
    read().then(
      (found) => gone || setState(found),
      () => gone || setState('unsupported'),
    )
    return () => {
      gone = true
    }
  }, [read])
  async function change(work: () => Promise<AlertState>): Promise<AlertState> {
    setBusy(true)
    try {
      const next = await work()
      setState(next)
      return next
    } finally {
      setBusy(false)
    }
  }
  return { state, busy, change }
}
