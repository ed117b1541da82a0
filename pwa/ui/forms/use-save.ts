import type { SyntheticEvent } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Refused } from '../../sync/index.ts'
import { toastFailure } from './failure-toast.ts'
import { showRefusal, useSubmit, type ZodForm } from './use-zod-form.ts'

/** Shows a refusal next to its fields, any other failure in a toast. */
export function useSave<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  failedTitle: string,
  save: (values: Output) => Promise<void>,
): (event: SyntheticEvent) => Promise<void> {
  return useSubmit(form, (values) =>
    save(values).catch((error: unknown) => {
      if (error instanceof Refused && showRefusal(form, error.problem) === null) return
      toastFailure(failedTitle, error)
    }),
  )
}
