import { useEffect, useState, type SyntheticEvent } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Problem, ReadProblemCode } from '#shared/contract/problem.ts'
import { Refused, Unreachable, useObservable, reachability } from '../../sync/index.ts'
import { showRefusal, type fieldOf, type ZodForm } from '../../ui/forms/use-zod-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { TextField, type TextFieldProps } from '../../ui/text-field.tsx'

interface AuthSubmit<Output, Done> {
  /** The call; its answer, such as who it signed in. */
  readonly send: (values: Output) => Promise<Done>
  readonly onDone: (answer: Done) => void
  /** What the server has against it, and whether the fields it names say so themselves already. */
  readonly onRefused: (message: string, about: { inFields: boolean; code?: ReadProblemCode | undefined }) => void
}

/** Why a call of the session was refused; undefined when no answer of our server came. */
function refusalOf(error: unknown): (Pick<Problem, 'message' | 'fields'> & { code?: ReadProblemCode }) | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refused) return error.problem
  return { message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** Submits a form about an account, which needs the server. What was typed stays when it fails. */
export function useAuthSubmit<Values extends FieldValues, Output, Done>(
  form: ZodForm<Values, Output>,
  { send, onDone, onRefused }: AuthSubmit<Output, Done>,
) {
  const [unreachable, setUnreachable] = useState(false)
  const submit = form.handleSubmit(async (values) => {
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
  return { unreachable, onSubmit: (event: SyntheticEvent) => void submit(event) }
}

const longMs = 10_000

/** Says after a while that a form is still sent: its button stays pressed, and pressing again would not help. */
export function StillWaiting({ pending, doing }: { pending: boolean; doing: string }) {
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

/** Tells a password manager whose password a form is about, where no field asks for it. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** The e-mail address of an account; as the name to sign in with, unless `autoComplete` says otherwise. */
export function EmailField(props: Partial<TextFieldProps>) {
  return (
    <TextField label="Email" type="email" inputMode="email" autoComplete="username" autoCapitalize="none" {...props} />
  )
}

type Field = ReturnType<typeof fieldOf>

/** A new password typed twice, of the form's fields `password` and `confirmPassword`. */
export function NewPasswordFields({ label, password, confirm }: { label: string; password: Field; confirm: Field }) {
  return (
    <>
      <TextField label={label} type="password" autoComplete="new-password" hint="At least 6 characters" {...password} />
      <TextField label={`Confirm ${label.toLowerCase()}`} type="password" autoComplete="new-password" {...confirm} />
    </>
  )
}

interface Twice {
  password: string
  confirmPassword: string
}

/** For `refine` of a form that asks for a new password twice. */
export const passwordsMatch: readonly [
  (typed: Twice) => boolean,
  { path: string[]; message: string; when: (payload: { value: unknown }) => boolean },
] = [
  ({ password, confirmPassword }) => password === confirmPassword,
  {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Also while other fields are still wrong: all mistakes are shown at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
]

/**
 * Says, while our server cannot be reached, that this form needs it and keeps what is typed. `failed`: an attempt has just
 * shown it, and what did not happen is named. `doing` begins the sentence.
 */
export function NeedsConnection({
  failed,
  failedTitle,
  doing = 'Signing in',
}: {
  failed: boolean
  failedTitle: string
  doing?: string | undefined
}) {
  const unreachable = useObservable(reachability) === 'unreachable'
  if (!unreachable && !failed) return null
  return (
    <Alert variant="signal" title={failed ? failedTitle : 'No connection right now'}>
      <output>
        {doing} needs a connection. What you type stays here
        {failed ? '; try again when there is one.' : ' meanwhile.'}
      </output>
    </Alert>
  )
}
