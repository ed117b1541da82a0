import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent, useRef, type SyntheticEvent } from 'react'
import { useForm, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import type { Problem } from '#shared/contract/problem.ts'

/** `Output` is what the submit handler receives. */
export type ZodForm<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>

/** Validates a field on blur, then on every key until it is right; submitting focuses the first wrong field. */
export function useZodForm<Values extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Values>,
  defaultValues: DefaultValues<Values>,
): ZodForm<Values, Output> {
  return useForm<Values, unknown, Output>({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues })
}

/** Gives a field of the UI kit its props: `<TextField label="Name" {...fieldOf(form, 'name')} />`. */
export function fieldOf<Values extends FieldValues, Output>(form: ZodForm<Values, Output>, name: FieldPath<Values>) {
  const { error } = form.getFieldState(name, form.formState)
  return { ...form.register(name), error: error?.message }
}

/** A date or time of which a part is missing has no value, and an optional one would be left out without a word. */
const findUnfinished = (form: EventTarget) =>
  form instanceof HTMLFormElement
    ? Array.from(form.querySelectorAll('input')).find(({ validity }) => validity.badInput)
    : undefined

/** A press does nothing while the one before is checked or sent, also before the button shows it. */
export function useSubmit<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  send: (values: Output) => Promise<void> | void,
): (event: SyntheticEvent) => Promise<void> {
  const isBusy = useRef(false)
  return async (event) => {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    const unfinished = findUnfinished(event.currentTarget)?.name as FieldPath<Values> | undefined
    const ask = (name: FieldPath<Values>) =>
      form.setError(name, { type: 'unfinished', message: 'Enter all of it, or clear it' }, { shouldFocus: true })
    await form
      .handleSubmit((values) => (unfinished ? ask(unfinished) : send(values)))(event)
      .finally(() => (isBusy.current = false))
  }
}

type Refusal = Pick<Problem, 'message' | 'fields'>

function refusedFields<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  problem: Refusal,
): [name: string, message: string][] {
  const names = Object.keys(form.getValues())
  return Object.entries(problem.fields ?? {}).filter(([path]) => names.includes(path.split('.')[0] ?? ''))
}

/**
 * Shows a refusal next to the fields it names and focuses the first of them.
 * @returns the message to show above the form; null where a field shows it
 */
export function showRefusal<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  problem: Refusal,
): string | null {
  const refused = refusedFields(form, problem)
  refused.forEach(([name, message], index) => {
    form.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return refused.length > 0 ? null : problem.message
}

export function useOnValues<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  onValues: (values: Values) => void,
): void {
  const changed = useEffectEvent(onValues)
  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => changed(values) }), [form])
}

/** Calls `showRefusal` for a refusal that exists at the start or arrives later. */
export function useRefusal<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  problem: Refusal | null | undefined,
): string | null {
  useEffect(() => {
    if (problem) showRefusal(form, problem)
  }, [form, problem])
  if (!problem || refusedFields(form, problem).length > 0) return null
  return problem.message
}
