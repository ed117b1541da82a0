import { useState } from 'react'
import { emailChangeBody } from '#shared/accounts/account-link-calls.ts'
import { call } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthForm, EmailField, HiddenUsername, PasswordField } from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

/** The new address takes effect when the link sent there is opened. */
export function ChangeEmailForm({ current, onSent }: { current: string; onSent: (said: string) => void }) {
  const form = useZodForm(emailChangeBody, { email: '', password: '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  return (
    <AuthForm
      form={form}
      send={(body) => {
        setRefusal(null)
        return call('requestEmailChange', { body })
      }}
      onDone={({ message }) => onSent(message)}
      // A toast would lie below the dialog.
      onRefused={(message, { inFields }) => setRefusal(inFields ? null : message)}
      failedTitle="Nothing was changed yet"
      doing="Changing your email"
      label="Send Link"
      pendingText="Sending..."
      wide
    >
      {refusal && (
        <Alert variant="destructive" title="No link was sent">
          {refusal}
        </Alert>
      )}
      <HiddenUsername email={current} />
      <EmailField label="New email" autoComplete="email" {...fieldOf(form, 'email')} />
      <PasswordField {...fieldOf(form, 'password')} />
    </AuthForm>
  )
}
