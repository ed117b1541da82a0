import { useState, type SyntheticEvent } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { User } from '#shared/api/accounts.ts'
import type { Problem } from '#shared/api/problem.ts'
import { Refused, Unreachable } from '../api/call.ts'
import { showRefusal, type ZodForm } from './use-zod-form.ts'

interface AuthSubmit<Output> {
  /** The call; who it signed in. */
  readonly send: (values: Output) => Promise<User>
  readonly onDone: (user: User) => void
  /** What the server has against it; fields it names say so themselves already. */
  readonly onRefused: (message: string) => void
}

/** Why a call of the session was refused; undefined when no answer of our server came. */
function refusalOf(error: unknown): Pick<Problem, 'message' | 'fields'> | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refused) return error.problem
  return { message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** Submits a form that ends with somebody signed in. What was typed stays when it fails. */
export function useAuthSubmit<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  { send, onDone, onRefused }: AuthSubmit<Output>,
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
      showRefusal(form, refusal)
      onRefused(refusal.message)
    }
  })
  return { unreachable, onSubmit: (event: SyntheticEvent) => void submit(event) }
}
