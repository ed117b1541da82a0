import { useId } from 'react'
import type { ReactNode } from 'react'
import { FieldError } from './field.tsx'

/** A group of fields with one question over them. `heading` makes the question a section's title. */
export function Fieldset({
  legend,
  hint,
  error,
  optional = false,
  heading = false,
  gap = 'normal',
  children,
}: {
  legend: ReactNode
  hint?: ReactNode | undefined
  error?: ReactNode | undefined
  optional?: boolean | undefined
  heading?: boolean | undefined
  gap?: 'small' | 'normal' | undefined
  children: ReactNode
}) {
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
  return (
    <fieldset aria-describedby={describedBy} className="min-w-0">
      <legend className={heading ? 'text-xl font-semibold tracking-tight' : 'font-medium'}>
        {legend}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className={`flex flex-col ${heading ? 'mt-4' : 'mt-2'} ${gap === 'small' ? 'gap-2' : 'gap-5'}`}>
        {children}
      </div>
    </fieldset>
  )
}
