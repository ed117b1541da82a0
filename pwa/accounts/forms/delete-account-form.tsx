import { refreshUser } from '../../device/session/session.ts'
import { call } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { formatLongDay } from '../../ui/page/local-time.ts'
import { toast } from '../../ui/toast.ts'
import { CurrentPasswordForm } from './current-password-form.tsx'

export function DeleteAccountForm({ email }: { email: string }) {
  return (
    <CurrentPasswordForm
      email={email}
      send={(body) => call('requestAccountDeletion', { body })}
      onDone={({ deletesAt }) => {
        void refreshUser()
        toast({
          title: `Your account will be deleted on ${formatLongDay(deletesAt)}`,
          description: 'An email says so.',
        })
      }}
      refusedTitle="Nothing will be deleted"
      failedTitle="No answer came"
      doing="Deleting your account"
      renderButton={(pending) => (
        <Button type="submit" variant="danger-quiet" pending={pending} pendingText="Asking for deletion...">
          Delete My Account
        </Button>
      )}
    />
  )
}
