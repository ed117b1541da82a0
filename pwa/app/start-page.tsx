import { useEffect, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { paths } from '../paths.ts'
import { hasApplied } from '../applications/own-application.ts'
import { useSession } from '../device/session/session.ts'
import { PageSpinner } from '../ui/loading.tsx'

/**
 * The installed app begins here: organizers on their dashboard, applicants on their applications, all others on the
 * events.
 */
export function StartPage() {
  const { state } = useSession()
  const [applied, setApplied] = useState<boolean>()
  useEffect(() => {
    hasApplied().then(setApplied, () => setApplied(false))
  }, [])
  if (state === 'loading') return <PageSpinner />
  if (state !== 'signed-out') return <Navigate to={paths.dashboard} replace />
  if (applied === undefined) return <PageSpinner />
  return <Navigate to={applied ? paths.myApplications : paths.events} replace />
}
