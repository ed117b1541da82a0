import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent } from 'react'
import { useForm, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import type { Problem } from '#shared/contract/problem.ts'

/** A form whose values are checked by a zod schema; `Output` is what its submit handler receives. */
export type ZodForm<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>

/**
 * A form checked by a schema: a field is checked when it is left, then with every key until it is right; submitting
 * focuses the first wrong one.
 */
export function useZodForm<Values extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Values>,
  defaultValues: DefaultValues<Values>,
): ZodForm<Values, Output> {
  return useForm<Values, unknown, Output>({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues })
}

/**
 * What a field of the UI kit needs: name, handlers, ref, and the message when it is wrong.
 * Spread into a field: `<TextField label="Name" {...fieldOf(form, 'name')} />`.
 */
export function fieldOf<Values extends FieldValues, Output>(form: ZodForm<Values, Output>, name: FieldPath<Values>) {
  const { error } = form.getFieldState(name, form.formState)
  return { ...form.register(name), error: error?.message }
}

type Refusal = Pick<Problem, 'message' | 'fields'>

/** The fields of a form that a refusal names, with its messages. */
function refusedFields<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  problem: Refusal,
): [name: string, message: string][] {
  const names = Object.keys(form.getValues())
  return Object.entries(problem.fields ?? {}).filter(([path]) => names.includes(path.split('.')[0] ?? ''))
}

/**
 * Shows a server's refusal beside the fields it names and gives the first of them the focus.
 * @returns what is left to say above the form: the refusal's message where no field explains it, else null
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

/** Calls back with a form's values on every change. */
export function useOnValues<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  onValues: (values: Values) => void,
): void {
  const changed = useEffectEvent(onValues)
  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => changed(values) }), [form])
}

/** `showRefusal` for a refusal that is there when the form opens, or arrives while it is open. */
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
