import type { User } from '#shared/api/accounts.ts'
import { call } from '../api/call.ts'
import { useObservable } from '../api/observable.ts'
import { sessionState, type SessionState } from './session-state.ts'
import { forgiveLogout } from './pending-logout.ts'
import { begin } from './session-store.ts'

export { signOut, type Unsent } from './sign-out.ts'

/** The session as it is now; paints again when it changes. */
export function useSession(): SessionState {
  return useObservable(sessionState)
}

/** Signs in. @throws Refused with the server's message, Unreachable without a network */
export async function signIn(body: { email: string; password: string }): Promise<User> {
  const user = await call('login', { body })
  await forgiveLogout()
  await begin(user)
  return user
}

/** Creates an account and signs in. @throws Refused with the server's message, Unreachable without a network */
export async function register(body: { username: string; email: string; password: string; organizationName?: string | null }): Promise<User> {
  const user = await call('register', { body })
  await forgiveLogout()
  await begin(user)
  return user
}
