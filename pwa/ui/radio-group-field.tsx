import type { ComponentProps, ReactNode } from 'react'
import { Fieldset } from './fieldset.tsx'
import type { FieldTexts } from './field.tsx'

interface RadioOption {
  value: string
  label: ReactNode
  hint?: ReactNode | undefined
}

export type RadioGroupFieldProps = Omit<FieldTexts, 'labelHidden'> &
  ComponentProps<'input'> & { options: RadioOption[] }

/** One of a few, all in sight, each a full-width target. `register('name')` spreads in: every button gets it. */
export function RadioGroupField({
  label,
  hint,
  error,
  optional,
  options,
  defaultValue,
  value,
  ...input
}: RadioGroupFieldProps) {
  return (
    <Fieldset legend={label} hint={hint} error={error} optional={optional} gap="small">
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-field border border-edge bg-base-100 px-3.5 py-2 transition-colors duration-150 hover:bg-base-200 has-checked:border-base-content has-checked:bg-quiet-soft"
        >
          <input
            {...input}
            type="radio"
            value={option.value}
            defaultChecked={defaultValue === undefined ? undefined : defaultValue === option.value}
            checked={value === undefined ? undefined : value === option.value}
            className="radio"
          />
          <span className="min-w-0 flex-1">
            {option.label}
            {option.hint && <span className="block text-sm text-muted">{option.hint}</span>}
          </span>
        </label>
      ))}
    </Fieldset>
  )
}
