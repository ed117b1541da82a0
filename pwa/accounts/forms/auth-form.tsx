import { useEffect, useState, type ReactNode } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { Problem, ReadProblemCode } from '#shared/contract/problem.ts'
import { Refused, Unreachable, reachability } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { fieldOf, showRefusal, useSubmit, type ZodForm } from '../../ui/forms/use-zod-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { TextField, type TextFieldProps } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

/** `inFields`: the fields that the server names show the message already. */
type OnRefused = (message: string, about: { inFields: boolean; code?: ReadProblemCode | undefined }) => void

/** Returns undefined when no answer of our server came. */
function refusalOf(error: unknown): (Pick<Problem, 'message' | 'fields'> & { code?: ReadProblemCode }) | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refused) return error.problem
  return { message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** Serves where the fields do not show the message. */
export const toastRefusal =
  (title: string): OnRefused =>
  (message, { inFields }) => {
    if (!inFields) toast({ variant: 'destructive', title, description: message })
  }

interface AuthFormProps<Values extends FieldValues, Output, Done> extends Pick<
  ButtonProps,
  'variant' | 'wide' | 'icon' | 'pendingText'
> {
  readonly form: ZodForm<Values, Output>
  readonly send: (values: Output) => Promise<Done>
  readonly onDone: (answer: Done) => void
  readonly onRefused: OnRefused
  readonly failedTitle: string
  readonly doing?: string
  /** It is shown when the answer takes long. */
  readonly longDoing?: string
  readonly label: string
  readonly children: ReactNode
}

/** Needs the server; typed values stay when it fails. */
export function AuthForm<Values extends FieldValues, Output, Done>(props: AuthFormProps<Values, Output, Done>) {
  const { form, send, onDone, onRefused, failedTitle, doing, longDoing, label, children, wide, ...look } = props
  const [unreachable, setUnreachable] = useState(false)
  const submit = useSubmit(form, async (values) => {
    setUnreachable(false)
    try {
      onDone(await send(values))
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) {
        setUnreachable(true)
        return
      }
      const inFields = showRefusal(form, refusal) === null
      onRefused(refusal.message, { inFields, code: refusal.code })
    }
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <NeedsConnection failed={unreachable} failedTitle={failedTitle} doing={doing} />
      {children}
      <div>
        <Button
          {...look}
          type="submit"
          wide={wide}
          size={wide ? 'large' : 'normal'}
          pending={form.formState.isSubmitting}
        >
          {label}
        </Button>
      </div>
      {longDoing && <StillWaiting pending={form.formState.isSubmitting} doing={longDoing} />}
    </form>
  )
}

const longMs = 10_000

function StillWaiting({ pending, doing }: { pending: boolean; doing: string }) {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => setIsLong(true), longMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [pending])
  return (
    <output className="text-muted empty:hidden">{isLong && `Still ${doing}… The server is busy or far away.`}</output>
  )
}

/** Password managers need it where no field asks for it. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** Password managers take it for the sign-in name, unless `autoComplete` says otherwise. */
export function EmailField(props: Partial<TextFieldProps>) {
  return (
    <TextField label="Email" type="email" inputMode="email" autoComplete="username" autoCapitalize="none" {...props} />
  )
}

export function PasswordField(props: Partial<TextFieldProps>) {
  return <TextField label="Current password" type="password" autoComplete="current-password" {...props} />
}

interface Twice {
  password: string
  confirmPassword: string
}

export function NewPasswordFields<Values extends Twice, Output>(props: {
  label: string
  form: ZodForm<Values, Output>
}) {
  const { label, form } = props
  const field = (name: keyof Twice) => fieldOf(form, name as FieldPath<Values>)
  const shared = { type: 'password', autoComplete: 'new-password' }
  return (
    <>
      <TextField label={label} hint="At least 6 characters" {...shared} {...field('password')} />
      <TextField label={`Confirm ${label.toLowerCase()}`} {...shared} {...field('confirmPassword')} />
    </>
  )
}

export const passwordsMatch: readonly [
  (typed: Twice) => boolean,
  { path: string[]; message: string; when: (payload: { value: unknown }) => boolean },
] = [
  ({ password, confirmPassword }) => password === confirmPassword.normalize('NFC'),
  {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Checked while other fields are still wrong, too: all mistakes show at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
]

/** It is shown while our server is unreachable, and after an attempt that failed for that reason. */
function NeedsConnection(props: { failed: boolean; failedTitle: string; doing: string | undefined }) {
  const { failed, failedTitle, doing = 'Signing in' } = props
  const unreachable = useObservable(reachability) === 'unreachable'
  if (!unreachable && !failed) return null
  return (
    <Alert variant="signal" title={failed ? failedTitle : 'No connection right now'}>
      <output>
        {doing} needs a connection. What you type stays here
        {failed ? '; try again when there is one.' : ' until then.'}
      </output>
    </Alert>
  )
}
