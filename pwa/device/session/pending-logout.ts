import { call, Refused, singleFlight } from '../../sync/index.ts'
import { deleteSetting, readSetting, writeSetting } from '../device-db.ts'

const setting = 'session/logout'
/** Whether the server still has to be told; undefined until the disk was asked. */
let isPending: boolean | undefined

/** The server must be told that this device signed out, now or at the next contact. @throws when it cannot be kept: nothing is pending then */
export async function markLogoutPending(): Promise<void> {
  await writeSetting(setting, true)
  isPending = true
}

/** Someone signed in: the server has a new session for this device, and the old one is gone. */
export async function clearPendingLogout(): Promise<void> {
  isPending = false
  await deleteSetting(setting)
}

/**
 * Tells the server about a pending logout before any other call: its cookie would still speak for the person who left. What
 * was sent under that cookie and arrives later is refused then. @throws when the server cannot be told, or `signal` was aborted
 * before
 */
export async function sendPendingLogout(signal?: AbortSignal): Promise<void> {
  isPending ??= (await readSetting<boolean>(setting)) === true
  if (isPending) await send(signal)
}

const send = singleFlight(async (signal: AbortSignal | undefined): Promise<void> => {
  const { tellAndEmpty } = await import('./empty-storage.ts')
  await tellAndEmpty(async (clearsStorage) => {
    try {
      await call('logout', { clearsStorage, ...(signal ? { signal } : {}) })
    } catch (error) {
      // A refused logout has nobody to sign out.
      if (!(error instanceof Refused)) throw error
    }
  })
  await clearPendingLogout()
})
