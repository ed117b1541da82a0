import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { FieldFrame, useFieldIds } from './field.tsx'
import type { FieldTexts } from './field.tsx'

export type TextFieldProps = FieldTexts & ComponentProps<'input'> & { icon?: ReactNode }

/** One line of text. `register('name')` of react-hook-form spreads in; a password can be made visible. */
export function TextField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  icon,
  className = '',
  id,
  type = 'text',
  ...input
}: TextFieldProps) {
  const ids = useFieldIds({ hint, error }, id, input['aria-describedby'])
  const [visible, setVisible] = useState(false)
  const field = (
    <input
      {...input}
      id={ids.field}
      type={type === 'password' && visible ? 'text' : type}
      aria-invalid={error ? true : undefined}
      aria-describedby={ids.describedBy}
      className={`input ${icon ? 'pl-10' : ''} ${type === 'password' ? 'pr-12' : ''} ${className}`}
    />
  )
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} optional={optional} labelHidden={labelHidden}>
      {icon || type === 'password' ? (
        <div className="relative">
          {icon && (
            <span className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-muted">
              {icon}
            </span>
          )}
          {field}
          {type === 'password' && (
            <button
              type="button"
              className="absolute inset-y-0 right-0 z-10 grid w-11 cursor-pointer place-items-center rounded-field text-muted hover:text-base-content"
              aria-label="Show password"
              aria-pressed={visible}
              onClick={() => setVisible(!visible)}
            >
              {visible ? (
                <EyeOff aria-hidden="true" className="size-5" />
              ) : (
                <Eye aria-hidden="true" className="size-5" />
              )}
            </button>
          )}
        </div>
      ) : (
        field
      )}
    </FieldFrame>
  )
}
