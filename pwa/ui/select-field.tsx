import type { ComponentProps } from 'react'
import { FieldFrame, useFieldIds } from './field.tsx'
import type { FieldTexts } from './field.tsx'

export type SelectFieldProps = FieldTexts & ComponentProps<'select'>

/** The phone's own picker. Options are children. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className = '',
  id,
  children,
  ...select
}: SelectFieldProps) {
  const ids = useFieldIds({ hint, error }, id, select['aria-describedby'])
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} optional={optional} labelHidden={labelHidden}>
      <select
        {...select}
        id={ids.field}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
        className={`select ${className}`}
      >
        {children}
      </select>
    </FieldFrame>
  )
}
