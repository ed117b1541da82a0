import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import type { Problem } from '#shared/api/problem.ts'

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

/** Which fields of a form a server's refusal names, with its messages. */
function refusedFields(names: readonly string[], problem: Pick<Problem, 'fields'>): [name: string, message: string][] {
  return Object.entries(problem.fields ?? {}).filter(([path]) => names.includes(path.split('.')[0] ?? ''))
}

/**
 * Shows a server's refusal beside the fields it names and gives the first of them the focus.
 * @returns what is left to say above the form: the refusal's message where no field explains it, else null
 */
export function useRefusal<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  problem: Pick<Problem, 'message' | 'fields'> | null,
): string | null {
  useEffect(() => {
    if (!problem) return
    refusedFields(Object.keys(form.getValues()), problem).forEach(([name, message], index) => {
      form.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: index === 0 })
    })
  }, [form, problem])
  if (!problem) return null
  return refusedFields(Object.keys(form.getValues()), problem).length > 0 ? null : problem.message
}
