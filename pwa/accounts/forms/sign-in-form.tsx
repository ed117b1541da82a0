import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { loginBody } from '#shared/accounts/account-calls.ts'
import { signIn } from '../../device/session/session.ts'
import { Alert } from '../../ui/alert.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthForm, EmailField, PasswordField } from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

/** `fixedEmail`: only this person can sign in. `prefill` fills in an example account. Shows its own errors. */
export function SignInForm(props: {
  onSignedIn?: () => void
  fixedEmail?: string
  prefill?: { email: string; password: string }
  onForgotten?: (email: string) => void
}) {
  const { onSignedIn, fixedEmail, prefill, onForgotten } = props
  const form = useZodForm(loginBody, { email: fixedEmail ?? prefill?.email ?? '', password: prefill?.password ?? '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  return (
    <AuthForm
      form={form}
      send={(body) => {
        setRefusal(null)
        return signIn(body)
      }}
      onDone={({ username }) => {
        toast({ title: 'Login successful', description: `Welcome back, ${username}!` })
        onSignedIn?.()
      }}
      onRefused={(message) => {
        setRefusal(message)
        // A toast would lie below the dialog.
        if (fixedEmail === undefined) toast({ variant: 'destructive', title: 'Login failed', description: message })
      }}
      failedTitle="Not signed in yet"
      longDoing="signing in"
      label="Sign In"
      pendingText="Signing in..."
      wide
    >
      <EmailField readOnly={fixedEmail !== undefined} {...fieldOf(form, 'email')} />
      <div>
        <PasswordField label="Password" {...fieldOf(form, 'password')} />
        {onForgotten && <ForgottenLink onClick={() => onForgotten(form.getValues('email').trim())} />}
      </div>
      {refusal && (
        <Alert variant="destructive" title="Login failed">
          {refusal}
        </Alert>
      )}
    </AuthForm>
  )
}

function ForgottenLink({ onClick }: { onClick: () => void }) {
  const { state } = useLocation()
  return (
    <Link
      to="#forgot"
      state={state}
      onClick={onClick}
      className="-mb-3 inline-flex min-h-11 items-center rounded-md text-muted underline decoration-edge underline-offset-4 hover:text-base-content"
    >
      Forgot password?
    </Link>
  )
}
