import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { loginBody } from '#shared/accounts/account-calls.ts'
import { signIn } from '../../device/session/session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { EmailField, NeedsConnection, StillWaiting, useAuthSubmit } from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

/** `fixedEmail`: only this person can sign in. `prefill` fills in an example account. Shows its own errors. */
export function SignInForm({
  onSignedIn,
  fixedEmail,
  prefill,
  onForgotten,
}: {
  onSignedIn?: (() => void) | undefined
  fixedEmail?: string | undefined
  prefill?: { email: string; password: string } | undefined
  onForgotten?: ((email: string) => void) | undefined
}) {
  const form = useZodForm(loginBody, { email: fixedEmail ?? prefill?.email ?? '', password: prefill?.password ?? '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => {
      setRefusal(null)
      return signIn(body)
    },
    onDone: ({ username }) => {
      toast({ title: 'Login successful', description: `Welcome back, ${username}!` })
      onSignedIn?.()
    },
    onRefused: (message) => {
      setRefusal(message)
      // A toast would lie below the dialog.
      if (fixedEmail === undefined) toast({ variant: 'destructive', title: 'Login failed', description: message })
    },
  })

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="Not signed in yet" />
      <EmailField readOnly={fixedEmail !== undefined} {...fieldOf(form, 'email')} />
      <div>
        <TextField label="Password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />
        {onForgotten && <ForgottenLink onClick={() => onForgotten(form.getValues('email').trim())} />}
      </div>
      {refusal && (
        <Alert variant="destructive" title="Login failed">
          {refusal}
        </Alert>
      )}
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Signing in...">
        Sign In
      </Button>
      <StillWaiting pending={form.formState.isSubmitting} doing="signing in" />
    </form>
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
