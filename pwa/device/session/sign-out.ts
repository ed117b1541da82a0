import { forgetActing } from './acting.ts'
import { forgetAccount, type SendProgress, sendUnsent } from '../../sync/index.ts'
import { deviceDb } from '../device-tables.ts'
import { deleteLeftDrafts } from '../left-drafts.ts'
import { turnOffPushHere } from '../alerts/push-alerts.ts'
import { noteLogout, sendPendingLogout } from './pending-logout.ts'
import { sessionState } from './session-state.ts'
import { forgetUser } from './session-store.ts'

export type Unsent = 'send' | 'keep' | 'discard'

export interface SignOut {
  readonly unsent: Unsent
  /** These are the keys of the changes that are discarded: the person was asked about them. */
  readonly discards: readonly string[]
  readonly onProgress: (progress: SendProgress) => void
  /** Ends the waiting for what is being sent: the user stays. */
  readonly signal: AbortSignal
}

const tellPatienceMs = 4_000

/**
 * Leaves nothing private behind, also offline: the server then learns of it first at the next contact.
 * @throws when not all was sent, or the signal's reason
 */
export async function signOut({ unsent, discards, onProgress, signal }: SignOut): Promise<void> {
  const { user } = sessionState.get()
  if (!user) return
  if (unsent === 'send') await sendUnsent(user.id, onProgress, signal)
  noteLogout(true)
  await forgetUser()
  await Promise.all([forgetAccount(user.id, unsent === 'discard' ? discards : []), wipe(user.id)])
  await sendPendingLogout(AbortSignal.timeout(tellPatienceMs)).catch(() => undefined)
}

async function wipe(userId: number): Promise<void> {
  forgetActing()
  deleteLeftDrafts(`user:${userId}/`)
  await Promise.allSettled([
    deviceDb.drafts.where('key').startsWith(`user:${userId}/`).delete(),
    deviceDb.settings.where('name').startsWith(`user:${userId}/`).delete(),
    turnOffPushHere(),
    clearNotifications(),
  ])
}

export async function clearNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge()
}
