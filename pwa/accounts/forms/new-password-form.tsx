import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { HiddenUsername } from '../../forms/hidden-username.tsx'
import { NeedsConnection } from '../../forms/needs-connection.tsx'
import { newPasswordValues } from './new-password-values.ts'
import { useAuthSubmit } from './use-auth-submit.ts'
import { fieldOf, useZodForm } from '../../forms/use-zod-form.ts'

/** A new password by the link of a mail. `onDead` hears why the link does nothing, and whether it did once. */
export function NewPasswordForm({
  token,
  email,
  onChanged,
  onDead,
}: {
  token: string
  /** Whose it is; empty while that is not known yet. */
  email: string
  onChanged: (email: string) => void
  onDead: (reason: string, isSpent: boolean) => void
}) {
  const form = useZodForm(newPasswordValues, { password: '', confirmPassword: '' })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: async ({ password }) => await call('resetPassword', { body: { token, password } }),
    onDone: (answer) => onChanged(answer.email),
    onRefused: (message, { code }) => {
      if (code === 'gone' || code === 'not_found') onDead(message, code === 'gone')
      else toast({ variant: 'destructive', title: 'The password could not be changed', description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection
        failed={unreachable}
        failedTitle="The password is not changed yet"
        doing="Choosing a new password"
      />
      <HiddenUsername email={email} />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        {...fieldOf(form, 'password')}
      />
      <TextField
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        {...fieldOf(form, 'confirmPassword')}
      />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Saving...">
        Save New Password
      </Button>
    </form>
  )
}
