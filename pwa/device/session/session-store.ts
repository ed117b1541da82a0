import type { User } from '#shared/accounts/account-calls.ts'
import { isStorageBlocked } from '../../browser/browser-storage.ts'
import { call, onRefusal, outbox, Refused } from '../../sync/index.ts'
import { ifAnswered } from '../../browser/page-storage.ts'
import { deleteSetting, readSetting, writeSetting } from '../device-db.ts'
import { sessionAsked, sessionState } from './session-state.ts'

const userSetting = 'session/user'
const channel = new BroadcastChannel('beaconry-session')

export function cachedUser(): Promise<User | undefined> {
  return readSetting<User>(userSetting)
}

/** The server has signed the person in, and the browser may have thrown the session's cookie away. */
async function requireSession(): Promise<void> {
  try {
    await call('getUser')
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    throw new Error(
      'Your browser blocks cookies for this site, so you cannot stay signed in. Allow cookies for it in the browser’s settings, then sign in again.',
      { cause: error },
    )
  }
}

/** The person has just signed in. @throws when the browser keeps no session */
export async function beginHere(user: User): Promise<void> {
  if (isStorageBlocked()) await requireSession()
  await begin(user)
}

/** Another user's paused changes stay locked. */
export async function begin(user: User): Promise<void> {
  // Storage that is slow, fails or does not answer must not keep a person out.
  sessionState.set({ state: 'signed-in', user })
  sessionAsked.set(true)
  await ifAnswered(writeSetting(userSetting, user))
  await ifAnswered(outbox.signedIn(user.id))
  channel.postMessage('changed')
}

/** `elsewhere` means that another tab or device asked for it. */
export async function forgetUser(elsewhere = false): Promise<void> {
  await deleteSetting(userSetting)
  await outbox.signedOut()
  sessionState.set({ state: 'signed-out', user: null, elsewhere })
  channel.postMessage('changed')
}

/** The server has dropped it: sending waits for the same person. */
export function end(): void {
  const { state, user } = sessionState.get()
  if (state === 'signed-in') sessionState.set({ state: 'ended', user })
}

/**
 * Paints the user of the last start, then asks the server; without an answer they stay.
 * @param answered whom the server has just named
 * @returns whether the server knew a session of which this device knew nothing
 */
export async function startSession(answered?: User): Promise<boolean> {
  const reading = ifAnswered(cachedUser())
  const confirming = answered && confirmUser(answered)
  const kept = await reading
  if (kept && sessionState.get().state === 'loading') sessionState.set({ state: 'signed-in', user: kept })
  return (await (confirming ?? confirmUser())) && !kept
}

/** @returns whether the server named a signed-in user */
export async function confirmUser(answered?: User): Promise<boolean> {
  const before = sessionState.get()
  try {
    const user = answered ?? (await call('getUser'))
    if (sessionState.get() !== before) return false
    await begin(user)
    return true
  } catch {
    if (sessionState.get() !== before) return false
    // Any other 401 is followed for every call alike.
    if (before.state === 'loading') sessionState.set({ state: 'signed-out', user: null })
    return false
  } finally {
    sessionAsked.set(true)
  }
}

/** The queue may not be sent with the session that this device knows. */
export function onSignInNeeded(): void {
  if (sessionState.get().state === 'signed-in') void confirmUser()
}

export function followSession(): void {
  onRefusal((name, { status, problem }) => {
    if (name === 'login' || name === 'register' || name === 'logout') return
    if (problem.code === 'account_mismatch') void confirmUser()
    if (status !== 401 || sessionState.get().user === null) return
    // On purpose: this device must not show the account. Its queue stays locked.
    if (problem.code === 'session_revoked') void forgetUser(true)
    else end()
  })
  channel.addEventListener('message', () => void followOtherTab())
}

async function followOtherTab(): Promise<void> {
  const user = await cachedUser()
  const now = sessionState.get()
  if (!user) {
    if (now.user !== null) sessionState.set({ state: 'signed-out', user: null, elsewhere: true })
  } else if (now.state !== 'signed-in' || now.user.id !== user.id) {
    sessionState.set({ state: 'signed-in', user })
  }
}
