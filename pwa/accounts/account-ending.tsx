import type { ReactNode } from 'react'
import type { User } from '#shared/accounts/account-calls.ts'
import { Alert } from '../ui/alert.tsx'
import { formatLongDay } from '../ui/page/local-time.ts'

/** About an account that is going to be deleted; renders nothing for any other. */
export function AccountEnding({ user, action }: { user: User; action?: ReactNode }) {
  if (!user.deletesAt) return null
  return (
    <Alert
      variant="destructive"
      title={`This account will be deleted on ${formatLongDay(user.deletesAt)}`}
      action={action}
    >
      Your events and everything you wrote go with it. Until then everything works as before.
    </Alert>
  )
}
