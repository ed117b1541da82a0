import type { User } from '#shared/accounts/account-calls.ts'
import { observable } from '../../browser/observable.ts'

/**
 * `ended`: the server closed the session; reading goes on, sending waits until the same person signs in again.
 * `elsewhere`: another tab or device signed this account out.
 */
export type SessionState =
  | { readonly state: 'loading'; readonly user: null }
  | { readonly state: 'signed-in'; readonly user: User }
  | { readonly state: 'ended'; readonly user: User }
  | { readonly state: 'signed-out'; readonly user: null; readonly elsewhere?: boolean }

export const sessionState = observable<SessionState>({ state: 'loading', user: null })

/** The server has answered at this start, or cannot be reached; before, this device only remembers. */
export const sessionAsked = observable(false)
