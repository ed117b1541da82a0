import type { User } from '#shared/api/accounts.ts'
import { deleteSetting, readSetting, writeSetting } from '../device/device-db.ts'
import { sessionState } from './session-state.ts'

const userSetting = 'session/user'

/** The person this device last knew as signed in; undefined when nobody. */
export function cachedUser(): Promise<User | undefined> {
  return readSetting<User>(userSetting)
}

/** Someone has signed in, or the server has confirmed who is. */
export async function begin(user: User): Promise<void> {
  await writeSetting(userSetting, user)
  sessionState.set({ state: 'signed-in', user })
}

/** Nobody is signed in any more. */
export async function forgetUser(): Promise<void> {
  await deleteSetting(userSetting)
  sessionState.set({ state: 'signed-out', user: null })
}
