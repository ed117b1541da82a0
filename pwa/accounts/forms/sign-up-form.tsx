import type { User } from '#shared/accounts/account-calls.ts'
import { register } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { NeedsConnection } from '../../forms/needs-connection.tsx'
import { signUpValues } from './sign-up-values.ts'
import { useAuthSubmit } from './use-auth-submit.ts'
import { fieldOf, useZodForm } from '../../forms/use-zod-form.ts'

/** Creates an account and signs in. Says itself what went wrong and keeps what was typed. */
export function SignUpForm({ onRegistered }: { onRegistered: (user: User) => void }) {
  const form = useZodForm(signUpValues, {
    username: '',
    email: '',
    organizationName: '',
    password: '',
    confirmPassword: '',
  })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (values) => {
      const { confirmPassword: _, ...body } = values
      return register(body)
    },
    onDone: (user) => {
      toast({ title: 'Registration successful', description: `Welcome to Beaconry, ${user.username}!` })
      onRegistered(user)
    },
    onRefused: (message) => toast({ variant: 'destructive', title: 'Registration failed', description: message }),
  })

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="No account yet" />
      <TextField
        label="Username"
        autoComplete="nickname"
        hint="At least 3 characters. Shown to you only."
        {...fieldOf(form, 'username')}
      />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        {...fieldOf(form, 'email')}
      />
      <TextField
        label="Organization name"
        optional
        autoComplete="organization"
        {...fieldOf(form, 'organizationName')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        {...fieldOf(form, 'password')}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        {...fieldOf(form, 'confirmPassword')}
      />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Creating account...">
        Create Account
      </Button>
    </form>
  )
}
