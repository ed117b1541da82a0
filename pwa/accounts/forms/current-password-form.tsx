import type { ReactNode } from 'react'
import { currentPasswordBody } from '#shared/accounts/account-calls.ts'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { HiddenUsername, NeedsConnection, useAuthSubmit } from './auth-form.tsx'

interface CurrentPasswordFormProps<Done> {
  readonly email: string
  readonly send: (body: { password: string }) => Promise<Done>
  readonly onDone: (answer: Done) => void
  readonly refusedTitle: string
  readonly failedTitle: string
  /** As in `NeedsConnection`. */
  readonly doing: string
  readonly renderButton: (pending: boolean) => ReactNode
}

/** What an open session alone may not do: the password is asked for again, and forgotten afterwards. */
export function CurrentPasswordForm<Done>(props: CurrentPasswordFormProps<Done>) {
  const { email, send, onDone, refusedTitle, failedTitle, doing, renderButton } = props
  const form = useZodForm(currentPasswordBody, { password: '' })
  const { unreachable, onSubmit } = useAuthSubmit(form, {
    send,
    onDone: (answer) => {
      form.reset({ password: '' })
      onDone(answer)
    },
    onRefused: (message, { inFields }) => {
      if (!inFields) toast({ variant: 'destructive', title: refusedTitle, description: message })
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      <NeedsConnection failed={unreachable} failedTitle={failedTitle} doing={doing} />
      <HiddenUsername email={email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fieldOf(form, 'password')}
      />
      <div>{renderButton(form.formState.isSubmitting)}</div>
    </form>
  )
}
