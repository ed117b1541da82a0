import { useId, type AriaAttributes, type ReactNode } from 'react'

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode | undefined
  /** Says what is wrong and how to fix it, under the label, and is read with the field. */
  error?: ReactNode | undefined
  /** Adds "(optional)" to the label: most fields are required. */
  optional?: boolean | undefined
  /** It is hidden visually, only where position and neighbours say the same. */
  labelHidden?: boolean | undefined
}

function useFieldIds({ hint, error }: Pick<FieldTexts, 'hint' | 'error'>, givenId?: string, also?: string) {
  const made = useId()
  const field = givenId ?? made
  const ids = { field, label: `${field}-label`, hint: `${field}-hint`, error: `${field}-error` }
  const describedBy = [hint ? ids.hint : '', error ? ids.error : '', also ?? ''].filter(Boolean).join(' ')
  return { ...ids, describedBy: describedBy || undefined }
}

/** Divides a field's props into what is around it and what its control gets. */
export function useField<Props extends FieldTexts & AriaAttributes & { id?: string | undefined }>(props: Props) {
  const { label, hint, error, optional, labelHidden, id, ...rest } = props
  const ids = useFieldIds({ hint, error }, id, props['aria-describedby'])
  return {
    frame: { ids, label, hint, error, optional, labelHidden },
    control: {
      ...rest,
      id: ids.field,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': ids.describedBy,
    },
  }
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm font-medium text-error">
      <svg viewBox="0 0 16 16" className="mt-0.5 size-4 shrink-0" aria-hidden="true">
        <path d="M8 1.6 15.2 14H.8Z" fill="currentColor" />
        <path d="M8 6v3.4m0 1.6v.8" stroke="var(--color-base-100)" strokeWidth="1.6" />
      </svg>
      {children}
    </p>
  )
}

/** In the order they are read. */
export function FieldFrame(
  props: FieldTexts & { ids: ReturnType<typeof useFieldIds>; aside?: ReactNode; children: ReactNode },
) {
  const { ids, label, hint, error, optional = false, labelHidden = false, aside, children } = props
  return (
    <div className="flex flex-col gap-1.5">
      <label id={ids.label} htmlFor={ids.field} className={labelHidden ? 'sr-only' : 'font-medium'}>
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {hint && (
        <p id={ids.hint} className="-mt-0.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={ids.error}>{error}</FieldError>}
      {children}
      {aside}
    </div>
  )
}

/** `heading` makes the legend a section's title. */
export function Fieldset(props: {
  legend: ReactNode
  hint?: ReactNode | undefined
  error?: ReactNode | undefined
  optional?: boolean | undefined
  heading?: boolean
  gap?: 'small' | 'normal'
  children: ReactNode
}) {
  const { legend, hint, error, optional = false, heading = false, gap = 'normal', children } = props
  const ids = useFieldIds({ hint, error })
  return (
    <fieldset aria-describedby={ids.describedBy} className="min-w-0">
      <legend className={heading ? 'text-xl font-semibold tracking-tight' : 'font-medium'}>
        {legend}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </legend>
      {hint && (
        <p id={ids.hint} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={ids.error}>{error}</FieldError>}
      <div className={`flex flex-col ${heading ? 'mt-4' : 'mt-2'} ${gap === 'small' ? 'gap-2' : 'gap-5'}`}>
        {children}
      </div>
    </fieldset>
  )
}
