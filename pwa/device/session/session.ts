import type { User } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { sessionAsked, sessionState, type SessionState } from './session-state.ts'
import type { SignOut } from './sign-out.ts'

export type { Unsent } from './sign-out.ts'

export function useSession(): SessionState {
  return useObservable(sessionState)
}

export function useSessionAsked(): boolean {
  return useObservable(sessionAsked)
}

/** A busy server checks passwords in turn: asking again would only make the line longer. */
const silenceMs = 90_000

/** @throws Refused with the server's message, Unreachable without a network */
export async function signIn(body: { email: string; password: string }): Promise<User> {
  return await beginAs(await call('login', { body, silenceMs }))
}

/** @throws Refused with the server's message, Unreachable without a network */
export async function register(body: NonNullable<Parameters<typeof call<'register'>>[1]>['body']): Promise<User> {
  return await beginAs(await call('register', { body, silenceMs }))
}

async function beginAs(user: User): Promise<User> {
  const { beginHere } = await import('./session-store.ts')
  const { user: before } = sessionState.get()
  await beginHere(user)
  if (before && before.id !== user.id) await (await import('./sign-out.ts')).clearNotifications()
  return user
}

export async function refreshUser(): Promise<void> {
  if (sessionState.get().state === 'signed-in') await (await import('./session-store.ts')).confirmUser()
}

/** @throws when not all was sent */
export async function signOut(wish: SignOut): Promise<void> {
  await (await import('./sign-out.ts')).signOut(wish)
}
