import type { EndpointName } from '#shared/contract/endpoints.ts'
import { closeAccount, foldedView, openAccount, reachability } from '../../sync/index.ts'
import { deviceIdentity, tellDeviceName } from '../device-identity.ts'
import { refreshPush } from '../alerts/push-alerts.ts'
import { beginActing } from './acting.ts'
import { followTeam } from './follow-team.ts'
import { sendPendingLogout } from './pending-logout.ts'
import { sessionState } from './session-state.ts'

const unbound = new Set(['login', 'register', 'logout', 'getUser', 'findSession'])

/** Names this device and its account in every call; a pending sign-out goes first. */
export async function senderOf(name: EndpointName) {
  if (name !== 'logout') await sendPendingLogout()
  const { id, name: deviceName } = await deviceIdentity()
  const { state, user } = sessionState.get()
  return { deviceId: id, deviceName, account: state === 'signed-in' && !unbound.has(name) ? user.id : null }
}

/** The engine follows the session: an ended one leaves the copy readable, and asks the server nothing. */
export function followAccount(): void {
  const follow = () => {
    const { state, user } = sessionState.get()
    if (state === 'loading') return
    if (user) beginActing(user.id)
    if (user) openAccount(user.id, { asksServer: state === 'signed-in' })
    else closeAccount()
    upkeep()
  }
  followBadge()
  followTeam()
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
