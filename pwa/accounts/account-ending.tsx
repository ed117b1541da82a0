import type { User } from '#shared/accounts/account-calls.ts'
import { refreshUser } from '../device/session/session.ts'
import { call } from '../sync/index.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { formatLongDay } from '../ui/page/local-time.ts'
import { toast } from '../ui/toast.ts'

/** The way back of an account that is going to be deleted; renders nothing for any other. */
export function AccountEnding({ user }: { user: User }) {
  const [pending, run] = useAction('Your account could not be kept yet')
  if (!user.deletesAt) return null
  const keep = () =>
    run(async () => {
      await call('keepAccount')
      await refreshUser()
      toast({ title: 'Your account stays', description: 'Nothing of it is deleted.' })
    })
  return (
    <Alert
      variant="destructive"
      title={`This account will be deleted on ${formatLongDay(user.deletesAt)}`}
      action={
        <Button variant="secondary" pending={pending} pendingText="Keeping..." onClick={() => void keep()}>
          Keep My Account
        </Button>
      }
    >
      Your events and everything you wrote go with it. Until then everything works as before.
    </Alert>
  )
}
