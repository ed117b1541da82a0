import type { ComponentProps } from 'react'
import { FieldError, useFieldIds } from './field.tsx'
import type { FieldTexts } from './field.tsx'

export type CheckboxFieldProps = Omit<FieldTexts, 'optional' | 'labelHidden'> &
  ComponentProps<'input'> & {
    /** `switch` is for what takes effect at once. */
    look?: 'box' | 'switch' | undefined
  }

/** One yes-or-no; the whole line is its target. */
export function CheckboxField({ label, hint, error, look = 'box', id, className = '', ...input }: CheckboxFieldProps) {
  const ids = useFieldIds({ hint, error }, id, input['aria-describedby'])
  return (
    <div>
      {error && <FieldError id={ids.error}>{error}</FieldError>}
      <label htmlFor={ids.field} className="flex min-h-11 cursor-pointer items-start gap-3 py-2.5">
        <input
          {...input}
          id={ids.field}
          type="checkbox"
          role={look === 'switch' ? 'switch' : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          className={`${look === 'switch' ? 'toggle' : 'checkbox'} ${className}`}
        />
        <span className="min-w-0">
          <span className="font-medium">{label}</span>
          {hint && (
            <span id={ids.hint} className="block text-sm text-muted">
              {hint}
            </span>
          )}
        </span>
      </label>
    </div>
  )
}
