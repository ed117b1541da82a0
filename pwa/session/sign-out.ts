import { deviceDb } from '../device/device-tables.ts'
import { turnOffPushHere } from '../device/push-alerts.ts'
import { outbox, outboxDatabase, outboxStore, replayer } from '../outbox/opened-outbox.ts'
import { forgetAccount, forgetSettled } from '../outbox/outbox-db.ts'
import { deleteReplicas } from '../replica/replica-names.ts'
import { oweLogout, settleLogout } from './pending-logout.ts'
import { sessionState } from './session-state.ts'
import { forgetUser } from './session-store.ts'

/** What becomes of changes the server has not confirmed: send them first, keep them locked to this account, or drop them. */
export type Unsent = 'send' | 'keep' | 'discard'

/** Sending first was wished, and not everything could be sent: nobody was signed out. */
export class NotAllSent extends Error {
  override readonly name = 'NotAllSent'
  constructor(left: number) {
    super(
      `${left} ${left === 1 ? 'change' : 'changes'} could not be sent now. You are still signed in, and nothing is lost.`,
    )
  }
}

/** Longer than a decision's undo window. */
const sendPatienceMs = 30_000

/**
 * Signs out on this device and leaves nothing private behind, also without a network: then the server is told at the next
 * contact, before anything else. @throws NotAllSent
 */
export async function signOut({ unsent }: { unsent: Unsent }): Promise<void> {
  const { user } = sessionState.get()
  if (!user) return
  if (unsent === 'send') await sendAll(user.id)
  if (unsent === 'discard')
    for (const { seq, state } of await outbox.pendingFor(user.id))
      if (state !== 'acknowledged') await outbox.discard(seq)
  await oweLogout()
  await forgetUser()
  if (unsent !== 'keep') await forgetAccount(outboxDatabase, user.id)
  await wipe(user.id)
  await settleLogout().catch(() => undefined)
}

/** Removes what this device holds for an account, except changes that wait for it. */
export async function wipe(userId: number): Promise<void> {
  await Promise.allSettled([
    deleteReplicas(),
    forgetSettled(outboxDatabase, userId),
    deviceDb.drafts.where('key').startsWith(`user:${userId}/`).delete(),
    deviceDb.settings.where('name').startsWith(`user:${userId}/`).delete(),
    turnOffPushHere(),
    clearNotifications(),
  ])
}

/** What one person was told on this device is not for the next one. */
export async function clearNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge()
}

async function sendAll(userId: number): Promise<void> {
  const until = Date.now() + sendPatienceMs
  for (;;) {
    const { end, waitingMs } = await replayer.wake('visible')
    const left = (await outboxStore.entriesOf(userId)).filter(({ state }) => state !== 'acknowledged')
    if (left.length === 0) return
    const isHeld = left.some(({ state }) => state === 'held' || state === 'queued' || state === 'sending')
    if (end !== 'drained' || !isHeld || waitingMs === undefined || Date.now() + waitingMs > until)
      throw new NotAllSent(left.length)
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitingMs, 100)))
  }
}
