import { call, Refused } from '../api/call.ts'
import { deleteSetting, readSetting, writeSetting } from '../device/device-db.ts'

const setting = 'session/logout'
/** Undefined until the disk was asked. */
let owed: boolean | undefined
let telling: Promise<void> | undefined

/** The server must be told that this device signed out, now or at the next contact. @throws when it cannot be kept: nothing is owed then */
export async function oweLogout(): Promise<void> {
  await writeSetting(setting, true)
  owed = true
}

/** Someone signed in: the server has a new session for this device, and the old one is gone. */
export async function forgiveLogout(): Promise<void> {
  owed = false
  await deleteSetting(setting)
}

/**
 * Tells the server about a sign-out it does not know of, before anything else is said to it: its cookie would still speak for
 * the person who left. What was sent under that cookie and arrives later is refused then. @throws when it cannot be told, or
 * `signal` was raised before
 */
export async function settleLogout(signal?: AbortSignal): Promise<void> {
  owed ??= (await readSetting<boolean>(setting)) === true
  if (!owed) return
  telling ??= tell(signal).finally(() => {
    telling = undefined
  })
  await telling
}

async function tell(signal: AbortSignal | undefined): Promise<void> {
  const { tellAndEmpty } = await import('./empty-storage.ts')
  await tellAndEmpty(async (clearsStorage) => {
    try {
      await call('logout', { clearsStorage, ...(signal ? { signal } : {}) })
    } catch (error) {
      // A refused logout has nobody to sign out.
      if (!(error instanceof Refused)) throw error
    }
  })
  await forgiveLogout()
}
