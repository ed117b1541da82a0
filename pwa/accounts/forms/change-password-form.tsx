import * as z from 'zod'
import { passwordChangeBody } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { HiddenUsername, NeedsConnection, NewPasswordFields, passwordsMatch, useAuthSubmit } from './auth-form.tsx'

const passwordChangeValues = z
  .strictObject({ ...passwordChangeBody.shape, confirmPassword: z.string() })
  .refine(...passwordsMatch)

const empty = { currentPassword: '', password: '', confirmPassword: '' }

export function ChangePasswordForm({ email }: { email: string }) {
  const form = useZodForm(passwordChangeValues, empty)
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: ({ currentPassword, password }) => call('changePassword', { body: { currentPassword, password } }),
    onDone: () => {
      form.reset(empty)
      toast({ title: 'Password changed', description: 'Every other device is signed out.' })
    },
    onRefused: (message, { inFields }) => {
      if (!inFields) toast({ variant: 'destructive', title: 'The password could not be changed', description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="No answer came" doing="Changing your password" />
      <HiddenUsername email={email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fieldOf(form, 'currentPassword')}
      />
      <NewPasswordFields
        label="New password"
        password={fieldOf(form, 'password')}
        confirm={fieldOf(form, 'confirmPassword')}
      />
      <div>
        <Button type="submit" pending={form.formState.isSubmitting} pendingText="Saving...">
          Save New Password
        </Button>
      </div>
    </form>
  )
}
