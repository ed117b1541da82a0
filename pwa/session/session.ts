import { useObservable } from '../api/observable.ts'
import { sessionState, type SessionState } from './session-state.ts'

/** The session as it is now; paints again when it changes. Signing in and out: `sign-in.ts`, `sign-out.ts`. */
export function useSession(): SessionState {
  return useObservable(sessionState)
}
