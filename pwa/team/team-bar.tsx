import { actingNow } from '../browser/acting.ts'
import { Users } from 'lucide-react'
import { roleNames } from '#shared/contract/roles.ts'
import { useSession } from '../device/session/session.ts'

import { Button } from '../ui/button.tsx'
import { switchOrganizer } from './switch-organizer.ts'

/** Says on every page whose events it shows, and leads back to one's own. */
export function TeamBar() {
  const { user } = useSession()
  const acting = actingNow()
  if (!acting || !user) return null
  return (
    <aside aria-label="Team" className="no-print bleed border-b border-base-300 bg-base-200 text-sm">
      <div className="mx-auto flex min-h-11 max-w-6xl items-center gap-2.5 px-4 py-1 sm:px-6">
        <Users className="size-4 shrink-0 text-muted" />
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          You are helping <span className="font-medium">{acting.name}</span> · {roleNames[acting.role]}
        </p>
        <Button variant="ghost" size="small" onClick={() => void switchOrganizer(user.id, null)}>
          My own events
        </Button>
      </div>
    </aside>
  )
}
