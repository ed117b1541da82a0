import { useState } from 'react'
import { loginBody, type User } from '#shared/api/accounts.ts'
import { signIn } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { NeedsConnection } from './needs-connection.tsx'
import { useAuthSubmit } from './use-auth-submit.ts'
import { fieldOf, useZodForm } from './use-zod-form.ts'

/**
 * E-mail and password. `fixedEmail` signs the same person in again, who cannot be changed here; `prefill` fills in an
 * example account. Says itself what went wrong and keeps what was typed.
 */
export function SignInForm({
  onSignedIn,
  fixedEmail,
  prefill,
}: {
  onSignedIn: (user: User) => void
  fixedEmail?: string | undefined
  prefill?: { email: string; password: string } | undefined
}) {
  const form = useZodForm(loginBody, { email: fixedEmail ?? prefill?.email ?? '', password: prefill?.password ?? '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => {
      setRefusal(null)
      return signIn(body)
    },
    onDone: (user) => {
      toast({ title: 'Login successful', description: `Welcome back, ${user.username}!` })
      onSignedIn(user)
    },
    onRefused: (message) => {
      // A message at the edge of the screen would lie below the dialog.
      if (fixedEmail !== undefined) setRefusal(message)
      else toast({ variant: 'destructive', title: 'Login failed', description: message })
    },
  })

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="Not signed in yet" />
      {refusal && (
        <Alert variant="destructive" title="Login failed">
          {refusal}
        </Alert>
      )}
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        readOnly={fixedEmail !== undefined}
        {...fieldOf(form, 'email')}
      />
      <TextField label="Password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Signing in...">
        Sign In
      </Button>
    </form>
  )
}
