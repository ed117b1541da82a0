import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession } from './session.ts'

/**
 * What only a signed-in user may see (specification, section 2): a spinner while the user is loading, /auth when there is
 * none. A session that ended while the page was open stays: nothing typed is lost.
 */
export function RequireSession({ spinner, children }: { spinner: ReactNode; children: ReactNode }) {
  const { state } = useSession()
  const { pathname, search, hash } = useLocation()
  if (state === 'loading') return spinner
  if (state === 'signed-out') return <Navigate to="/auth" replace state={{ from: pathname + search + hash }} />
  return children
}
