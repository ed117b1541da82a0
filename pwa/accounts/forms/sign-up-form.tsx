import * as z from 'zod'
import { registerBody } from '#shared/accounts/account-calls.ts'
import { register } from '../../device/session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import {
  EmailField,
  NeedsConnection,
  NewPasswordFields,
  passwordsMatch,
  StillWaiting,
  useAuthSubmit,
} from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

export const signUpValues = z
  .strictObject({ ...registerBody.shape, confirmPassword: z.string() })
  .refine(...passwordsMatch)

/** Signs in too. Shows its own errors. */
export function SignUpForm() {
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
    onDone: ({ username }) =>
      toast({ title: 'Registration successful', description: `Welcome to Beaconry, ${username}!` }),
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
      <EmailField {...fieldOf(form, 'email')} />
      <TextField
        label="Organization name"
        optional
        autoComplete="organization"
        {...fieldOf(form, 'organizationName')}
      />
      <NewPasswordFields
        label="Password"
        password={fieldOf(form, 'password')}
        confirm={fieldOf(form, 'confirmPassword')}
      />
      <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Creating account...">
        Create Account
      </Button>
      <StillWaiting pending={form.formState.isSubmitting} doing="creating the account" />
    </form>
  )
}
