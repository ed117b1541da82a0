import { nameBody } from '#shared/accounts/account-calls.ts'
import { call } from '../../sync/index.ts'
import { refreshUser } from '../../device/session/session.ts'
import { Button } from '../../ui/button.tsx'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { NeedsConnection, useAuthSubmit } from './auth-form.tsx'

export function ChangeNameForm({ username }: { username: string }) {
  const form = useZodForm(nameBody, { username })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send: (body) => call('setProfile', { body }),
    onDone: () => {
      toast({ title: 'Username changed', description: 'You sign in with your email, as before.' })
      void refreshUser().catch(() => undefined)
    },
    onRefused: (message, { inFields }) => {
      if (!inFields) toast({ variant: 'destructive', title: 'The username could not be changed', description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle="Nothing was changed yet" doing="Changing your username" />
      <TextField label="Username" autoComplete="nickname" autoCapitalize="none" {...fieldOf(form, 'username')} />
      <div>
        <Button type="submit" variant="secondary" pending={form.formState.isSubmitting} pendingText="Saving...">
          Save Username
        </Button>
      </div>
    </form>
  )
}
