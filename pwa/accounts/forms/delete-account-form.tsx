import { accountDeletionBody } from '#shared/accounts/account-calls.ts'
import { refreshUser } from '../../device/session/session.ts'
import { call } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { formatLongDay } from '../../ui/page/local-time.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { HiddenUsername, NeedsConnection, useAuthSubmit } from './auth-form.tsx'

export function DeleteAccountForm({ email }: { email: string }) {
  const form = useZodForm(accountDeletionBody, { password: '' })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => call('requestAccountDeletion', { body }),
    onDone: ({ deletesAt }) => {
      form.reset({ password: '' })
      void refreshUser()
      toast({ title: `Your account will be deleted on ${formatLongDay(deletesAt)}`, description: 'An email says so.' })
    },
    onRefused: (message, { inFields }) => {
      if (!inFields) toast({ variant: 'destructive', title: 'Nothing will be deleted', description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="No answer came" doing="Deleting your account" />
      <HiddenUsername email={email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fieldOf(form, 'password')}
      />
      <div>
        <Button
          type="submit"
          variant="danger-quiet"
          pending={form.formState.isSubmitting}
          pendingText="Asking for deletion..."
        >
          Delete My Account
        </Button>
      </div>
    </form>
  )
}
