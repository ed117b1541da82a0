import {
  call,
  maxCancelBatch,
  outboxDatabase,
  outboxStore,
  replayer,
  forgetAccount,
  forgetSettled,
  advance,
  type DrainReport,
  deleteReplicas,
} from '../../sync/index.ts'
import { deviceDb } from '../device-tables.ts'
import { turnOffPushHere } from '../push-alerts.ts'
import { keepPendingLogout, sendPendingLogout } from './pending-logout.ts'
import { sessionState } from './session-state.ts'
import { forgetUser } from './session-store.ts'

export type Unsent = 'send' | 'keep' | 'discard'

export interface SignOutProgress {
  readonly doing: 'sending' | 'cancelling'
  readonly done: number
  readonly total: number
}

export interface SignOut {
  readonly unsent: Unsent
  readonly onProgress?: (progress: SignOutProgress) => void
  /** Ends the waiting for what is being sent: the user stays. */
  readonly signal: AbortSignal
}

const notAllSent = (left: number) =>
  new Error(
    `${left} ${left === 1 ? 'change' : 'changes'} could not be sent now. You are still signed in, and nothing is lost.`,
  )

const second = 1000
/** After so long without a change sent it is given up; longer than a decision's undo window. */
const silenceMs = 15 * second
/** For sending as a whole; what is not sent by then stays queued. */
const sendPatienceMs = 60 * second
const lookEveryMs = 300
/** Discarding ends within 15 s on any network: this, removing the alerts, and telling the server. */
const cancelPatienceMs = 5 * second
const tellPatienceMs = 4 * second

/**
 * Leaves nothing private behind, also offline: the server then learns of it first at the next contact.
 * @throws when not all was sent, or the signal's reason
 */
export async function signOut({ unsent, onProgress = () => undefined, signal }: SignOut): Promise<void> {
  const { user } = sessionState.get()
  if (!user) return
  if (unsent === 'send') await sendAll(user.id, onProgress, signal)
  if (unsent === 'discard') await giveUpAll(user.id, onProgress)
  await keepPendingLogout()
  await forgetUser()
  if (unsent !== 'keep') await forgetAccount(outboxDatabase, user.id)
  await wipe(user.id)
  await sendPendingLogout(AbortSignal.timeout(tellPatienceMs)).catch(() => undefined)
}

/** Except changes that wait for the account. */
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

export async function clearNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge()
}

async function sendAll(
  userId: number,
  onProgress: (progress: SignOutProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const unsentNow = async () => (await outboxStore.entriesOf(userId)).filter(({ state }) => state !== 'acknowledged')
  const beganAt = performance.now()
  const total = (await unsentNow()).length
  let left = total
  let movedAt = beganAt
  for (;;) {
    const round = replayer.wake('visible')
    let report: DrainReport | undefined
    for (;;) {
      report = await Promise.race([round, pause(lookEveryMs)])
      const unsent = await unsentNow()
      signal.throwIfAborted()
      const now = performance.now()
      if (unsent.length < left) {
        left = unsent.length
        movedAt = now
      }
      onProgress({ doing: 'sending', done: total - left, total })
      if (unsent.length === 0) return
      if (now - movedAt > silenceMs || now - beganAt > sendPatienceMs) throw notAllSent(unsent.length)
      if (!report) continue
      const isOnItsWay = unsent.some(({ state }) => state === 'held' || state === 'queued' || state === 'sending')
      const { end, waitingMs } = report
      if (end !== 'drained' || !isOnItsWay || waitingMs === undefined || now + waitingMs - movedAt > silenceMs)
        throw notAllSent(unsent.length)
      await pause(Math.max(waitingMs, 100))
      break
    }
  }
}

/**
 * What may be on its way is forbidden on the server, if it can be asked now; else the end of the session, told before
 * anything else, forbids it.
 */
async function giveUpAll(userId: number, onProgress: (progress: SignOutProgress) => void): Promise<void> {
  const { result: inDoubt } = await outboxStore.change('all', ({ entries }) => {
    const remove: number[] = []
    const mine = entries.filter((entry) => entry.userId === userId)
    const put = advance(
      mine,
      () => ({ type: 'discard-asked' }),
      ({ seq }) => remove.push(seq),
    )
    return { put, remove, result: put.map(({ key }) => key) }
  })
  const total = inDoubt.length
  const signal = AbortSignal.timeout(cancelPatienceMs)
  for (let done = 0; done < total; done += maxCancelBatch) {
    onProgress({ doing: 'cancelling', done, total })
    try {
      await call('cancelMutations', {
        body: { account: userId, keys: inDoubt.slice(done, done + maxCancelBatch) },
        signal,
      })
    } catch {
      // The session's end forbids it too; the user does not wait for a dead network.
      return
    }
  }
}

const pause = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds))
