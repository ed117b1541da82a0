import { forgottenPasswordBody } from '#shared/accounts/account-link-calls.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { NeedsConnection } from '../../forms/needs-connection.tsx'
import { useAuthSubmit } from './use-auth-submit.ts'
import { fieldOf, useZodForm } from '../../forms/use-zod-form.ts'

/** Asks for a link to choose a new password; the answer is the same whether or not an account has the address. */
export function ForgotPasswordForm({
  email,
  onSent,
}: {
  email: string
  onSent: (email: string, said: string) => void
}) {
  const form = useZodForm(forgottenPasswordBody, { email })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: async (body) => ({ email: body.email, ...(await call('requestPasswordReset', { body })) }),
    onDone: ({ email: sentTo, message }) => onSent(sentTo, message),
    onRefused: (message) => toast({ variant: 'destructive', title: 'No link was sent', description: message }),
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="No link was sent yet" doing="Asking for a link" />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        {...fieldOf(form, 'email')}
      />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Sending...">
        Send Link
      </Button>
    </form>
  )
}
