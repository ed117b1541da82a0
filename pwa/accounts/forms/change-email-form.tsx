import { useState } from 'react'
import { emailChangeBody } from '#shared/accounts/account-link-calls.ts'
import { call } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EmailField, HiddenUsername, NeedsConnection, useAuthSubmit } from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

/** The new address takes effect when the link sent there is opened. */
export function ChangeEmailForm({ current, onSent }: { current: string; onSent: (said: string) => void }) {
  const form = useZodForm(emailChangeBody, { email: '', password: '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => {
      setRefusal(null)
      return call('requestEmailChange', { body })
    },
    onDone: ({ message }) => onSent(message),
    // A toast would lie below the dialog.
    onRefused: (message, { inFields }) => setRefusal(inFields ? null : message),
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="Nothing was changed yet" doing="Changing your email" />
      {refusal && (
        <Alert variant="destructive" title="No link was sent">
          {refusal}
        </Alert>
      )}
      <HiddenUsername email={current} />
      <EmailField label="New email" autoComplete="email" {...fieldOf(form, 'email')} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fieldOf(form, 'password')}
      />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Sending...">
        Send Link
      </Button>
    </form>
  )
}
