import * as z from 'zod'
import { registerBody } from '#shared/accounts/account-calls.ts'
import { register } from '../../device/session/session.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthForm, EmailField, NewPasswordFields, passwordsMatch } from './auth-form.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'

export const signUpValues = z
  .strictObject({ ...registerBody.shape, confirmPassword: z.string() })
  .refine(...passwordsMatch)

const empty = { username: '', email: '', organizationName: '', password: '', confirmPassword: '' }

/** Its hint says who reads the name. */
export function UsernameField(field: ReturnType<typeof fieldOf>) {
  return (
    <TextField
      label="Username"
      autoComplete="nickname"
      hint="At least 3 characters. Guests read “Hosted by” with this name, unless you give an organization."
      {...field}
    />
  )
}

/** Signs in, too, and shows its own errors. */
export function SignUpForm() {
  const form = useZodForm(signUpValues, empty)
  return (
    <AuthForm
      form={form}
      send={(values) => {
        const { confirmPassword: _, ...body } = values
        return register(body)
      }}
      onDone={({ username }) =>
        toast({ title: 'Registration successful', description: `Welcome to Beaconry, ${username}!` })
      }
      onRefused={(message) => toast({ variant: 'destructive', title: 'Registration failed', description: message })}
      failedTitle="No account yet"
      longDoing="creating the account"
      label="Create Account"
      pendingText="Creating account..."
      wide
    >
      <UsernameField {...fieldOf(form, 'username')} />
      <EmailField {...fieldOf(form, 'email')} />
      <TextField
        label="Organization name"
        optional
        autoComplete="organization"
        {...fieldOf(form, 'organizationName')}
      />
      <NewPasswordFields label="Password" form={form} />
    </AuthForm>
  )
}
