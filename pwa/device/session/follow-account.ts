import {
  isTooOld,
  noteAnswered,
  noteUnanswered,
  reachability,
  describeSender,
  isDeviceFull,
  onReplayNews,
  isQuotaError,
  foldedView,
  followPending,
  deleteReplicas,
  type OpenReplica,
  emptyReplica,
  replicaState,
  forgetSyncMeta,
  fetchReplica,
} from '../../sync/index.ts'
import { deviceIdentity, tellDeviceName } from '../device-identity.ts'
import { refreshPush } from '../push-alerts.ts'
import { finishDiscards } from './pending-discards.ts'
import { sendPendingLogout } from './pending-logout.ts'
import { sessionState } from './session-state.ts'

const unbound = new Set(['login', 'register', 'logout', 'getUser', 'findSession'])

/** Every call names its device and account; a pending sign-out goes first. */
export function nameSender(): void {
  describeSender(async (name) => {
    if (name !== 'logout') await sendPendingLogout()
    const { id, name: deviceName } = await deviceIdentity()
    const { state, user } = sessionState.get()
    return { deviceId: id, deviceName, account: state === 'signed-in' && !unbound.has(name) ? user.id : null }
  })
  onReplayNews((news) => {
    const { type } = news
    // A drainer writes before it sends: there is room.
    if (type === 'reachable') isDeviceFull.set(false)
    if (type === 'storage-failed' && isQuotaError(news.error)) isDeviceFull.set(true)
    if (type === 'reachable') noteAnswered('queue')
    if (type === 'unreachable') noteUnanswered('queue')
    if (type === 'update-needed') isTooOld.set(true)
  })
}

let work: Promise<OpenReplica | null> = Promise.resolve(null)

/** @returns whether everything new is here; null when no replica is open */
export async function pullAccount(): Promise<boolean | null> {
  const open = await work
  return open ? await open.pull() : null
}

/** RxDB is loaded for organizers only. */
export function followAccount(): void {
  let userId: number | null | undefined

  const change = (next: number | null) => {
    userId = next
    void finishDiscards(next).catch(() => undefined)
    followPending(next)
    replicaState.set(next === null ? emptyReplica : { ...emptyReplica, status: 'loading', userId: next })
    work = work
      .then((open) => open?.close())
      .catch(() => undefined)
      .then(async () => {
        if (userId !== next) return null
        if (next === null) {
          await Promise.allSettled([deleteReplicas(), forgetSyncMeta()])
          return null
        }
        const { openReplica } = await fetchReplica()
        return openReplica(next)
      })
      .catch(() => null)
  }

  const follow = () => {
    const { state, user } = sessionState.get()
    if (state === 'loading') return
    const next = user?.id ?? null
    if (next !== userId) change(next)
    if (state === 'signed-in') void work.then((open) => open?.resume())
    upkeep()
  }
  followBadge()
  sessionState.subscribe(follow)
  reachability.subscribe(upkeep)
  follow()
}

function followBadge(): void {
  let shown = -1
  foldedView.subscribe(() => {
    const { status, pendingTotal } = foldedView.get()
    if (status !== 'ready' || pendingTotal === shown || !('setAppBadge' in navigator)) return
    shown = pendingTotal
    void (pendingTotal === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(pendingTotal)).catch(() => undefined)
  })
}

function upkeep(): void {
  if (sessionState.get().state !== 'signed-in' || reachability.get() !== 'reachable') return
  void refreshPush().catch(() => undefined)
  void tellDeviceName().catch(() => undefined)
}
